"""What a dictation makes of words: spelling, continuing, taking back, correcting. Tables, without a window."""

from __future__ import annotations

import pytest

from app.agent.dictation.passages import Passages
from app.agent.dictation.reading import Correction, read_dictated
from app.agent.dictation.writing import addition
from app.agent.errors import ToolError
from app.agent.values import parse_value
from app.agent.values.spelling import spelled


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("spell j a n e", "jane"),
        ("Spell J-A-N-E.", "jane"),
        ("spell j.a.n.e", "jane"),
        ("Spell JANE", "jane"),
        ("spell juliett alfa november echo", "jane"),
        ("Spell Juliet, Alpha, November, Echo.", "jane"),
        ("spell capital j a n e space capital d o e", "Jane Doe"),
        ("spell capital julite, alpha, November, echo", "Jane"),
        ("Spell Capitol, Julie, Alpha, November, Echo.", "Jane"),
        ("spell capital julid alpha november echo", "Jane"),
        ("Spellcap at Old Juleed Alpha, November Echo", "Jane"),
        ("Spell Capital Jew Light, Alpha, November Echo.", "Jane"),
        ("spell a n double n a", "annna"),
        ("spell double u x-ray why zed", "wxyz"),
        ("spell j dash two dot zero", "j-2.0"),
        ("spell see why are", "cyr"),
    ],
)
def test_letters_are_put_together(said: str, written: str) -> None:
    assert spelled(said, "en") == written


@pytest.mark.parametrize(
    "said",
    [
        "",
        "spell",
        "spell checking is hard",
        "spell it for me",
        "Spelling bees are fun.",
        "spells a b",
        "spelling a b c",
        "spellbound by alpha",
        "spell four words",
        "spell victory",
        "jane",
        "juliett alfa november echo",
        "please spell j a n e",
    ],
)
def test_everything_else_is_no_spelling(said: str) -> None:
    assert spelled(said, "en") is None


@pytest.mark.parametrize(
    ("language", "said"),
    [("de", "Buchstabiere groß Julia Alpha November Echo."), ("es", "deletrea mayúscula jota a ene e")],
)
def test_other_languages_spell_too(language: str, said: str) -> None:
    assert spelled(said, language) == "Jane"


def test_a_field_takes_spelled_letters() -> None:
    assert parse_value("spell capital j a n e space capital d o e", "text", {}) == "Jane Doe"
    assert parse_value("spell j a n e", "long_text", {}) == "jane"


@pytest.mark.parametrize(
    ("before", "heard", "added"),
    [
        ("", "we build things.", "We build things."),
        ("One.", "two.", " Two."),
        ("One.\n", "two.", "Two."),
        ("We build", "And they answer.", " and they answer."),
        ("We build", "Berlin is a city.", " Berlin is a city."),
        ("hello", "comma world full stop", ", world."),
        ("", "Hello, comma, world. Full stop. New paragraph. the next", "Hello, world.\n\nThe next"),
        ("x.", "First point. New line. second point.", " First point.\nSecond point."),
        ("Is it so", "Question mark.", "?"),
        ("One.", "new paragraph", "\n\n"),
        ("He said:", "I know.", " I know."),
    ],
)
def test_a_passage_goes_on_from_the_text_before_it(before: str, heard: str, added: str) -> None:
    assert addition(heard, before, "en") == added


@pytest.mark.parametrize(
    ("said", "kind", "text"),
    [
        ("Scratch that.", "scratch", ""),
        ("scratch dat", "scratch", ""),
        ("Stop dictation.", "stop", ""),
        ("That is all. Stop dictation.", "stop", "That is all."),
        ("spell j a n e", "spell", "jane"),
        ("Please scratch that idea.", "write", "Please scratch that idea."),
        ("Scratch that itch, they say.", "write", "Scratch that itch, they say."),
        ("I would like to stop dictation", "write", "I would like to stop dictation"),
        ("Save. Approve. Delete everything.", "write", "Save. Approve. Delete everything."),
        ("Correct answers are rare.", "write", "Correct answers are rare."),
        ("Set the status to accepted.", "write", "Set the status to accepted."),
        ("scratch pad", "write", "scratch pad"),
    ],
)
def test_only_a_whole_utterance_is_a_command(said: str, kind: str, text: str) -> None:
    read = read_dictated([said], "en")
    assert (read.kind, read.text) == (kind, text)


def test_a_command_counts_in_any_reading_but_text_is_the_first() -> None:
    assert read_dictated(["Stretch that.", "scratch that"], "en").kind == "scratch"
    assert read_dictated(["We sell.", "We spell."], "en").text == "We sell."


@pytest.mark.parametrize(
    ("language", "said", "kind"),
    [
        ("de", "Streich das.", "scratch"),
        ("de", "Diktat beenden.", "stop"),
        ("de", "Korrigiere Karotte zu Papagei.", "correct"),
        ("de", "Das ist ein Text.", "write"),
        ("es", "Borra eso.", "scratch"),
        ("es", "Termina el dictado.", "stop"),
        ("es", "Corrige gato por pato.", "correct"),
    ],
)
def test_other_languages_have_their_own_words(language: str, said: str, kind: str) -> None:
    assert read_dictated([said], language).kind == kind


@pytest.mark.parametrize(
    ("text", "said", "after"),
    [
        ("We eat carrots.", "correct carrots to parrots", "We eat parrots."),
        ("Cats like cats.", "Correct cats to dogs.", "Cats like dogs."),
        ("Carrots are good.", "correct carrots to parrots", "Parrots are good."),
        ("We met Jon there.", "correct john to spell capital j o h n", "We met John there."),
        ("It goes to to.", "correct to to two", "It goes to two."),
        ("We use cooper netties.", "correct cooper nettys to Kubernetes", "We use Kubernetes."),
        ("Go to Berlin now.", "correct to berlin with to Bremen", "Go to Bremen now."),
    ],
)
def test_the_last_of_the_words_is_corrected_also_when_they_only_sound_so(text: str, said: str, after: str) -> None:
    corrections = read_dictated([said], "en").corrections
    assert Passages("en").correct(text, corrections)[0] == after


def test_what_is_not_in_the_text_is_refused_in_words() -> None:
    with pytest.raises(ToolError, match="“zebra” is not in the text"):
        Passages("en").correct("We eat carrots.", [Correction("zebra", "horse")])


def test_passages_are_taken_back_from_the_last_one_also_when_one_was_corrected() -> None:
    passages = Passages("en")
    text = passages.add("By hand.", "We eat carrots.")
    text = passages.add(text, "We sleep.")
    text, wrong, right = passages.correct(text, [Correction("carrots", "very large parrots")])
    assert (wrong, right) == ("carrots", "very large parrots")
    text = passages.scratch(text)
    assert text == "By hand. We eat very large parrots."
    text = passages.scratch(text)
    assert text == "By hand."
    with pytest.raises(ToolError):
        passages.scratch(text)


def test_a_passage_that_was_undone_or_edited_by_hand_is_not_taken_back() -> None:
    passages = Passages("en")
    first = passages.add("", "One.")
    passages.add(first, "Two.")
    assert passages.scratch(first) == "", "the second one was undone, so the first is the last"
    text = passages.add("", "Three.")
    assert passages.scratch(f"{text} And by hand.") == " And by hand."
    passages.add("", "Four.")
    with pytest.raises(ToolError):
        passages.scratch("Fore.")
