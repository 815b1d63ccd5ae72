"""The options and commands of `greenroom`. Everything heavy is imported where it is used."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

application = typer.Typer(
    name="greenroom",
    help="A desktop workspace for people who give talks, operated by voice, by typing, or by mouse.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


class BackendName(StrEnum):
    """Which backend answers."""

    COMMANDS = "commands"
    OPENAI = "openai"
    ROUTED = "routed"


SampleData = Annotated[bool, typer.Option("--sample-data", help="Fill the workspace with sample data, if it has none.")]
Page = Annotated[str, typer.Option(help="The page to start on.")]
Approve = Annotated[bool, typer.Option("--approve", help="Approve every proposed action.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object for each input.")]
Screenshot = Annotated[Path | None, typer.Option(help="Save a picture of the window at the end (PNG).")]
Backend = Annotated[BackendName | None, typer.Option(help="Who turns words into actions; by default, Settings.")]
Model = Annotated[str | None, typer.Option(help="Name of the language model.", envvar="GREENROOM_MODEL")]
BaseUrl = Annotated[str | None, typer.Option(help="Address of the model server.", envvar="OPENAI_BASE_URL")]
Timeout = Annotated[float | None, typer.Option(min=0.1, help="Seconds to wait for the model.")]


@application.callback(invoke_without_command=True)
def window(
    context: typer.Context,
    sample_data: SampleData = False,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Opens the window."""
    if context.invoked_subcommand is not None:
        return
    if version:
        from importlib.metadata import version as installed

        typer.echo(f"greenroom {installed('greenroom')}")
        return
    from app.desk.gui import run_window

    raise typer.Exit(run_window(sample_data=sample_data))


@application.command()
def hear(
    files: Annotated[list[Path], typer.Argument(help="Sound files with one utterance each.", show_default=False)],
    page: Page = "Contributions",
    sample_data: SampleData = False,
    approve: Approve = False,
    json: AsJson = False,
    screenshot: Screenshot = None,
    backend: Backend = None,
    model: Model = None,
    base_url: BaseUrl = None,
    timeout: Timeout = None,
) -> None:
    """Hears sound files as if they had been spoken, and prints what was heard, proposed and done."""
    from app.desk.headless import Options, hear_files

    options = Options(page, sample_data, approve, json, screenshot, backend, model, base_url, timeout)
    raise typer.Exit(hear_files(files, options))


@application.command()
def ask(
    text: Annotated[str, typer.Argument(help="What you would say.", show_default=False)],
    page: Page = "Contributions",
    sample_data: SampleData = False,
    approve: Approve = False,
    json: AsJson = False,
    screenshot: Screenshot = None,
    backend: Backend = None,
    model: Model = None,
    base_url: BaseUrl = None,
    timeout: Timeout = None,
) -> None:
    """Takes text as if it had been typed into the panel, and prints what was proposed and done."""
    from app.desk.headless import Options, ask_text

    options = Options(page, sample_data, approve, json, screenshot, backend, model, base_url, timeout)
    raise typer.Exit(ask_text(text, options))


@application.command()
def tour(
    folder: Annotated[Path, typer.Option(help="Where the pictures go.")] = Path("tour"),
) -> None:
    """Shows the program without a display: spoken recordings are heard, proposed, approved and undone."""
    from app.desk.tour import run_tour

    raise typer.Exit(run_tour(folder))


@application.command()
def doctor(json: AsJson = False) -> None:
    """Checks what this machine has, and says how to get what is missing."""
    from app.desk.doctor import run_doctor

    raise typer.Exit(run_doctor(as_json=json))


@application.command()
def replay(
    folder: Annotated[Path, typer.Argument(help="Where utterances were kept.", show_default=False)],
    json: AsJson = False,
) -> None:
    """Hears and understands kept utterances again, and reports what is better, worse or different."""
    from app.desk.replay_command import run_replay

    raise typer.Exit(run_replay(folder, as_json=json))


@application.command()
def corrections(
    json: AsJson = False,
    clear: Annotated[bool, typer.Option("--clear", help="Forget all of it.")] = False,
) -> None:
    """Shows what was heard and what you had meant by it, where you have put it right."""
    from app.desk.remembered_words import clear_corrections, list_corrections

    raise typer.Exit(clear_corrections() if clear else list_corrections(as_json=json))


models = typer.Typer(help="Lists, gets and removes speech models.", no_args_is_help=True)
application.add_typer(models, name="models")
ModelName = Annotated[str, typer.Argument(help="Name of a speech model.", show_default=False)]


@models.command("list")
def list_models(json: AsJson = False) -> None:
    """Shows each model's size, languages, speed on this machine, and where it is."""
    from app.desk.models_command import list_models

    raise typer.Exit(list_models(as_json=json))


@models.command("get")
def get_model(name: ModelName) -> None:
    """Downloads a model, or what is missing of it."""
    from app.desk.models_command import get_model

    raise typer.Exit(get_model(name))


@models.command("remove")
def remove_model(name: ModelName) -> None:
    """Removes a model that was downloaded."""
    from app.desk.models_command import remove_model

    raise typer.Exit(remove_model(name))
