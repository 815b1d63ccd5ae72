"""What recognisers really wrote for spoken commands, and for talk: the reading that can be executed wins."""

from __future__ import annotations

import pytest
from command_driver import Driver
from command_screens import instance, screen, snapshot

from app.agent.json_types import Json
from app.agent.messages import Hypothesis, Utterance

# Page, hypotheses with mean log-probabilities as tiny.en gave them, actions.
HEARD: list[tuple[str, list[tuple[str, float]], list[list[Json]]]] = [
    (
        "Contributions",
        [("Open the speaker's page.", -0.34), ("Open the speakers page. Open the speakers page.", -0.39)],
        [["navigate", "Speakers"]],
    ),
    ("Contributions", [("Press this card changes.", -0.72)], [["click", "Discard changes"]]),
    ("Contributions", [("Safe.", -0.9)], [["click", "Save"]]),
    ("Contributions", [("Save the top.", -0.4)], [["click", "Save"]]),
    ("Contributions", [("Delete the stalk.", -0.4)], [["click", "Delete"]]),
    ("Contributions", [("A doot net.", -0.73), ("A doot at.", -0.91)], [["undo"]]),
    ("Contributions", [("I do that.", -0.5)], [["undo"]]),
    ("Contributions", [("and do that.", -0.19), ("And do that.", -0.31)], [["undo"]]),
    ("Contributions", [("Chill numbers.", -0.96), ("cell numbers.", -1.59)], [["show_numbers"]]),
    ("Contributions", [("The level should be the advance.", -0.29)], [["choose", "Level", "Advanced"]]),
    (
        "Contributions",
        [("The life all should be advanced.", -0.13), ("The level should be advanced.", -0.56)],
        [["choose", "Level", "Advanced"]],
    ),
    ("Contributions", [("Choose work shop as the format.", -0.45)], [["choose", "Format", "Workshop"]]),
    (
        "Contributions",
        [("Set the land which to German.", -0.28), ("Set the language to German.", -0.32)],
        [["choose", "Language", "German"]],
    ),
    (
        "Contributions",
        [("Set the status to accepted and saved. Set the status to accepted and saved.", -0.26)],
        [["choose", "Status", "Accepted"], ["click", "Save"]],
    ),
    ("Contributions", [("Make the duration for the minutes.", -0.3)], [["fill", "Duration", "40"]]),
    (
        "Contributions",
        [("Set the duration to 20 minutes, the level to begin in the format to lightning tall.", -0.31)],
        [["fill", "Duration", "20"], ["choose", "Level", "Beginner"], ["choose", "Format", "Lightning talk"]],
    ),
    (
        "Contributions",
        [("open agent snatask first", -0.96)],
        [["open_item", "Contributions", "Agents that ask first"]],
    ),
    (
        "Conferences",
        [("The call for papers closest on 3 May 2027.", -0.22)],
        [["fill", "Call for papers closes on", "2027-05-03"]],
    ),
    ("Conferences", [("Turn on line on.", -0.6), ("Turn on one on.", -0.92)], [["toggle", "Online", True]]),
    ("Conferences", [("Turn Online None. Turn Online None.", -0.53)], [["toggle", "Online", True]]),
    (
        "Conferences",
        [("Set the city to Berlin then safe.", -0.28)],
        [["fill", "City", "Berlin"], ["click", "Save"]],
    ),
    ("Conferences", [("Said the city two Berlin.", -0.5)], [["fill", "City", "Berlin"]]),
    (
        "Speakers",
        [("Set the company to Acme end the job title to engineer.", -0.3)],
        [["fill", "Company", "Acme"], ["fill", "Job title", "engineer"]],
    ),
    (
        "Speakers",
        [("Set the email to janeatexample.com.", -0.42), ("Set the email to jane at example.com.", -0.48)],
        [["fill", "Email", "jane@example.com"]],
    ),
    # An address that was heard with its "at", and that can be said, is likelier than its score.
    (
        "Speakers",
        [
            ("Set the email to jaynet example.com.", -0.48),
            ("Set the email to jn at example.com.", -0.5),
            ("set the email to, Jane at example.com", -0.51),
        ],
        [["fill", "Email", "jane@example.com"]],
    ),
    ("Speakers", [("set the email to, order at example.com", -0.62)], []),
    # A recogniser writes names with capitals; the likelier reading has none and is farther off.
    ("Speakers", [("Set the company to acne.", -0.3), ("Set the company to Acme.", -0.31)], []),
    # Talk, with its own readings.
    ("Contributions", [("The weather in Lagos is lovely today.", -0.26)], []),
    ("Contributions", [("the weather and lay gasses lovely today.", -0.32)], []),
    ("Contributions", [("I was talking to my colleague about lunch.", -0.04)], []),
    ("Contributions", [("Change the channel to 5.", -0.25)], []),
    ("Contributions", [("Put the book in the bag.", -0.16)], []),
    ("Contributions", [("The talk is twenty minutes late.", -0.16)], []),
    ("Contributions", [("Show me the money.", -0.22)], []),
    ("Contributions", [("Go to bed.", -0.24)], []),
    ("Contributions", [("Do that.", -0.65)], []),
    ("Contributions", [("Could you repeat that?", -0.1)], []),
    ("Contributions", [("Star.", -0.9)], []),
    ("Contributions", [("And...", -1.51)], []),
    ("Contributions", [("Please check the number and dial again.", -0.2)], []),
    ("Conferences", [("Turn off the oven.", -0.36)], []),
    ("Conferences", [("Turn on the radio.", -0.49)], []),
    ("Conferences", [("The city is beautiful at night.", -0.18)], []),
    ("Conferences", [("That is not a valid conference number. Please try again.", -0.11)], []),
    ("Speakers", [("The company has a new office in Paris.", -0.2)], []),
    ("Speakers", [("The company is growing fast.", -0.12)], []),
    ("Speakers", [("My name is on the list I think.", -0.2)], []),
    # Talk that is near to a command: the recogniser is sure of the word that is none of it.
    ("Contributions", [("Save the date.", -0.34), ("Save the day.", -0.73)], []),
    ("Contributions", [("Clear the table.", -0.28), ("Clear on the table.", -0.59)], []),
    ("Contributions", [("save the whales,", -0.64), ("save the Wails", -0.9)], []),
    ("Contributions", [("The language of the book is French.", -0.07)], []),
    ("Conferences", [("has left the conference.", -0.24), ("has left a conference.", -0.4)], []),
    # Commands that the decoder made up after all.
    ("Contributions", [("delete my account,", -0.53), ("Delete my count.", -0.6), ("delete", -5.63)], []),
    ("Contributions", [("Can you repeat that?", -0.42), ("repeat that,", -0.99), ("delete that,", -1.2)], []),
    ("Contributions", [("Remove the LED.", -0.62), ("remove the", -1.08)], []),
    # The unlikelier reading sounds like the likelier one.
    (
        "Contributions",
        [("Discover the changes.", -0.63), ("Discard the changes", -1.19)],
        [["click", "Discard changes"]],
    ),
    ("Contributions", [("Push the same button.", -0.64)], [["click", "Save"]]),
    (
        "Contributions",
        [("Place at the duration to 15 minutes.", -0.1)],
        [["fill", "Duration", "15"]],
    ),
    (
        "Conferences",
        [("Set the call for papers closes on to 10 June 2020. 7.", -0.4)],
        [["fill", "Call for papers closes on", "2027-06-10"]],
    ),
    # Names: no capital and a small word at an end is none; two that are nearly as likely are asked about.
    ("Conferences", [("Set the city to be in it.", -0.24), ("Set the city to be on it.", -0.37)], []),
    ("Conferences", [("change the city to Austin", -0.33), ("Change the city to Boston.", -0.42)], []),
    (
        "Contributions",
        [("The title should be 10 lessons.", -0.23), ("The title should be ten lessons.", -0.29)],
        [["fill", "Title", "ten lessons"]],
    ),
]


@pytest.fixture(scope="module")
def driver() -> Driver:
    return Driver(screen)


@pytest.mark.parametrize(("page", "heard", "wanted"), HEARD, ids=[heard[0][0][:60] for _, heard, _ in HEARD])
def test_reading_that_can_be_executed_wins(
    driver: Driver, page: str, heard: list[tuple[str, float]], wanted: list[list[Json]]
) -> None:
    assert driver.hear(page, *heard) == wanted


def test_words_known_to_be_misheard_mean_nothing_when_typed(driver: Driver) -> None:
    assert driver.hear("Contributions", ("A doot net.", -0.7)) == [["undo"]]
    assert driver.say("Contributions", "a doot net") == []


def test_sixteen_minutes_may_have_been_sixty(driver: Driver) -> None:
    assert driver.hear("Contributions", ("The duration is 16 minutes.", -0.17)) == []
    assert driver.end.suggestions == ("Duration “16” 1", "Duration “60” 2")
    assert driver.hear("Contributions", ("The duration is 15 minutes.", -0.17)) == [["fill", "Duration", "15"]]
    assert driver.say("Contributions", "The duration is 16 minutes.") == [["fill", "Duration", "16"]]


def test_beginning_that_recognisers_write_for_another_is_asked_about(driver: Driver) -> None:
    assert driver.hear("Conferences", ("and check online.", -0.37)) == []
    assert driver.end.suggestions == ("Online True 1", "Online False 2")
    assert driver.say("Conferences", "and check online") == [["toggle", "Online", True]]


def test_words_that_are_no_name_are_told(driver: Driver) -> None:
    assert driver.hear("Conferences", ("Set the city to the end.", -0.44)) == []
    assert driver.end.text == "City: I heard “the end”, which is hardly a name. Say it again, or spell it."


@pytest.mark.parametrize("name", ["winds to knock after", "the knock", "gone for ever more"])
def test_name_of_a_person_without_capitals_holds_no_small_word(driver: Driver, name: str) -> None:
    assert driver.hear("Speakers", (f"Set the name to {name}.", -0.3)) == []
    assert "hardly a name" in driver.end.text
    assert driver.hear("Conferences", (f"Set the city to {name}.", -0.3)) == []
    assert driver.say("Speakers", f"set the name to {name}") == [["fill", "Name", name]]


def test_small_words_belong_to_names_of_other_things(driver: Driver) -> None:
    heard = ("Set the name to best of twenty twenty six.", -0.3)
    assert driver.hear("Collections", heard) == [["fill", "Name", "best of twenty twenty six"]]
    assert driver.hear("Speakers", ("Set the name to Ludwig van der Example.", -0.3)) == [
        ["fill", "Name", "Ludwig van der Example"]
    ]


@pytest.mark.parametrize("tail", ["say", "same", "shave"])
def test_text_swallows_nothing_after_then_that_is_nearly_a_button(driver: Driver, tail: str) -> None:
    assert driver.hear("Conferences", (f"Set the city to Seattle then {tail}.", -0.3)) == []
    assert driver.end.text == f"I did not understand “{tail}.”."
    # What was typed is meant, and other words belong to the text.
    assert driver.say("Conferences", f"set the notes to look then {tail}") == [["fill", "Notes", f"look then {tail}"]]
    assert driver.hear("Conferences", ("Set the notes to look then leap.", -0.3)) == [
        ["fill", "Notes", "look then leap."]
    ]


BOTH_HEARD = [
    # One reading of both recognisers and its log-probability, and the value, where it is clear enough.
    ("Contributions", "The title is guarded in for pro-dremers.", -0.56, ""),
    ("Contributions", "The title is gardening for young programmers.", -0.25, "gardening for young programmers"),
    ("Conferences", "Set the city to Vienna on time.", -1.16, ""),
    ("Conferences", "Set the country to Norway.", -0.85, "Norway"),
    ("Conferences", "Set the country to Norway.", -1.5, ""),
    ("Speakers", "The job title is made a scientist.", -0.85, ""),
    ("Speakers", "The job title is product manager.", -0.36, "product manager"),
]


@pytest.mark.parametrize(
    ("page", "text", "likely", "value"), BOTH_HEARD, ids=[f"{text} {likely}" for _, text, likely, _ in BOTH_HEARD]
)
def test_free_text_that_two_recognisers_find_unlikely_is_said_again(
    driver: Driver, page: str, text: str, likely: float, value: str
) -> None:
    actions = driver.run(page, Utterance("u", text, (Hypothesis(text, likely),), "voice", recognisers=2))
    assert [action[-1] for action in actions] == ([value] if value else [])
    assert value or "but not clearly. Say it again" in driver.end.text


def test_word_of_the_screen_may_be_written_as_two(driver: Driver) -> None:
    assert driver.hear("Contributions", ("Make it a work shop.", -0.27)) == [["choose", "Format", "Workshop"]]
    assert driver.say("Contributions", "set the title to work shop") == [["fill", "Title", "work shop"]]


def test_words_of_two_commands_are_no_beginning_of_one(driver: Driver) -> None:
    assert driver.hear("Contributions", ("Dr. Sneakers and Open Sam Sample.", -1.19)) == []
    assert driver.hear("Contributions", ("Cent the speakers to Sam Sample.", -1.0)) == [
        ["fill", "Speakers", "Sam Sample"]
    ]


def test_search_without_a_search_box_is_told(driver: Driver) -> None:
    assert driver.say("Settings", "search for whisper") == []
    assert (driver.end.finish, driver.end.text) == ("declined", "There is no search box on this page.")
    assert driver.say("Settings", "go to speakers and find Sam Sample") == [
        ["navigate", "Speakers"],
        ["fill", "Search", "Sam Sample"],
    ]
    assert driver.say("Contributions", "find my keys") == []
    assert driver.end.text == "I did not understand “find my keys”."


def test_lower_case_statements_are_talk(driver: Driver) -> None:
    assert driver.hear("Speakers", ("Her name is Rosa Delgado.", -0.3)) == [["fill", "Name", "Rosa Delgado"]]
    assert driver.hear("Speakers", ("Her name is all over the papers.", -0.3)) == []
    assert driver.hear("Speakers", ("She works at home on Fridays.", -0.3)) == []
    assert driver.hear("Conferences", ("I want the city to be clean.", -0.3)) == []


def test_surer_recogniser_is_believed_more(driver: Driver) -> None:
    assert driver.hear("Contributions", ("Hit same.", -1.08)) == [["click", "Save"]]
    assert driver.hear("Contributions", ("Hit same.", -0.2)) == []


def test_button_whose_first_word_is_misheard() -> None:
    driver = Driver(lambda page: snapshot(page, [instance("Add speaker", "click"), instance("Save", "click")]))
    assert driver.hear("Speakers", ("Click on speaker.", -0.5)) == [["click", "Add speaker"]]


def test_less_clear_speech_gives_less_confidence(driver: Driver) -> None:
    def confidence(*heard: tuple[str, float]) -> float:
        driver.hear("Contributions", *heard)
        value = driver.calls[0].confidence
        assert value is not None
        return value

    driver.say("Contributions", "press discard changes")
    typed = driver.calls[0].confidence
    clear = confidence(("Press discard changes.", -0.1))
    murmured = confidence(("Press discard changes.", -1.2))
    near = confidence(("Press this card changes.", -0.7))
    far = confidence(("Press the scar changes.", -0.7))
    assert typed == 0.98
    assert typed > clear > murmured > near > far > 0.3
