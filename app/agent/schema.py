"""The arguments of a function as one pydantic validator and one JSON schema."""

from __future__ import annotations

import inspect
import json
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Annotated, Any, get_args, get_origin

from pydantic import GetCoreSchemaHandler, PydanticInvalidForJsonSchema, PydanticSchemaGenerationError, TypeAdapter
from pydantic.errors import PydanticUndefinedAnnotation, PydanticUserError
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, PydanticUndefined, SchemaError, core_schema, to_jsonable_python

from app.agent.docstrings import DocstringParts
from app.agent.errors import RegistrationError
from app.agent.frozen import FrozenDict, freeze_object
from app.agent.schema_clean import allows_extras, clean_schema, has_choices, is_strict, mentions_secret
from app.agent.schema_walk import without_references

TARGET = "target"
"""The argument that says which instance is meant; no parameter of a tool may have this name."""


@dataclass(frozen=True, slots=True)
class Arguments:
    """What a function takes.

    Attributes:
        adapter: Validates a JSON object into a dict of keyword arguments with the right Python types.
        schema: JSON schema of that object, with the marks of `Choices` still in it.
        strict: Whether the schema fits the strict mode of structured outputs.
        forbid_extras: Whether unknown keys in nested models are refused too; a model that allows them says so.
        has_choices: Whether `Choices` is used somewhere.
    """

    adapter: TypeAdapter[dict[str, Any]]
    schema: FrozenDict
    strict: bool
    forbid_extras: bool
    has_choices: bool


@dataclass(frozen=True, slots=True)
class _Parameter:
    name: str
    annotation: Any
    default: Any

    @property
    def required(self) -> bool:
        return self.default is inspect.Parameter.empty


def read_arguments(function: Callable[..., Any], doc: DocstringParts, *, skip_first: bool, where: str) -> Arguments:
    """Reads the signature of a function.

    Args:
        function: The function itself, not bound.
        doc: Its docstring; a description in the signature (`Field(description=)`) goes before it.
        skip_first: Whether the first parameter is `self` or `cls`.
        where: Class and method, for messages.

    Raises:
        RegistrationError: A parameter can't be offered; the message names it.
    """
    parameters = _parameters(function, skip_first, where)
    unknown = sorted(set(doc.parameters) - {parameter.name for parameter in parameters})
    if unknown:
        raise RegistrationError(f"{where}: the docstring describes {unknown[0]!r}, which is not a parameter")
    try:
        adapter, schema = _compile(parameters)
    except _UNUSABLE as error:
        raise _blame(parameters, where, error) from error
    properties = {parameter.name: _described(schema, parameter, doc, where) for parameter in parameters}
    schema = without_references({**schema, "properties": properties})
    return Arguments(adapter, freeze_object(schema), is_strict(schema), not allows_extras(schema), has_choices(schema))


_UNUSABLE = (
    PydanticSchemaGenerationError,
    PydanticInvalidForJsonSchema,
    PydanticUndefinedAnnotation,
    PydanticUserError,
    SchemaError,
    NameError,
    TypeError,
)
"""What pydantic raises for an annotation that has no schema."""


def _parameters(function: Callable[..., Any], skip_first: bool, where: str) -> list[_Parameter]:
    found = list(inspect.signature(function).parameters.values())[1 if skip_first else 0 :]
    return [_parameter(function, parameter, where) for parameter in found]


def _evaluated(function: Callable[..., Any], name: str, annotation: Any, where: str) -> Any:
    """An annotation that may have been written as text. Only those of parameters: a result may have any type."""
    only = SimpleNamespace(__annotations__={name: annotation})
    try:
        # A decorated function carries the annotations of the one within, which mean what they mean in its module.
        return typing.get_type_hints(only, inspect.unwrap(function).__globals__, include_extras=True)[name]
    except (NameError, TypeError, SyntaxError) as error:
        raise RegistrationError(f"{where}: the annotation of parameter {name!r} can't be read: {error}") from error


def _parameter(function: Callable[..., Any], parameter: inspect.Parameter, where: str) -> _Parameter:
    name, default = parameter.name, parameter.default
    place = f"{where}: parameter {name!r}"
    if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
        stars = "*" if parameter.kind is parameter.VAR_POSITIONAL else "**"
        raise RegistrationError(f"{where}: parameter '{stars}{name}' can't be offered; name each argument")
    if parameter.kind is parameter.POSITIONAL_ONLY:
        raise RegistrationError(f"{place} is positional-only; arguments are given by name")
    if name == TARGET:
        raise RegistrationError(f"{place} has a reserved name: it says which instance is meant")
    if parameter.annotation is parameter.empty:
        raise RegistrationError(f"{place} has no annotation")
    if isinstance(default, FieldInfo):
        raise RegistrationError(f"{place}: write Annotated[..., Field(...)] and give the default in the signature")
    annotation = _evaluated(function, name, parameter.annotation, where)
    for field in _fields(annotation):
        if field.default is not PydanticUndefined or field.default_factory is not None:
            raise RegistrationError(f"{place}: give the default in the signature, not in Field")
        if field.alias is not None or field.validation_alias is not None:
            raise RegistrationError(f"{place}: an alias can't be used; the argument has the parameter's name")
    return _Parameter(name, annotation, default)


def _fields(annotation: Any) -> list[FieldInfo]:
    metadata = get_args(annotation)[1:] if get_origin(annotation) is Annotated else ()
    return [part for part in metadata if isinstance(part, FieldInfo)]


def _compile(parameters: list[_Parameter]) -> tuple[TypeAdapter[dict[str, Any]], dict[str, Any]]:
    class Keywords:
        """Stands for the keyword arguments; its schema is a typed dict, so that any name will do."""

        @classmethod
        def __get_pydantic_core_schema__(cls, _source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
            fields = {
                parameter.name: core_schema.typed_dict_field(
                    handler.generate_schema(parameter.annotation), required=parameter.required
                )
                for parameter in parameters
            }
            return core_schema.typed_dict_schema(fields, extra_behavior="forbid")

    adapter: TypeAdapter[Any] = TypeAdapter(Keywords)
    schema = clean_schema(adapter.json_schema(mode="validation"))
    # The root anew, in the order in which people and models read it.
    root = {"type": "object", "properties": schema.get("properties", {}), "required": schema.get("required", [])}
    schema = {**root, "additionalProperties": False, **({"$defs": schema["$defs"]} if "$defs" in schema else {})}
    if mentions_secret(schema):
        raise TypeError("a secret can't be an argument: arguments are shown and stored")
    return adapter, schema


def _blame(parameters: list[_Parameter], where: str, error: Exception) -> RegistrationError:
    """Finds the parameter that has no schema by trying each alone."""
    for parameter in parameters:
        try:
            _compile([parameter])
        except _UNUSABLE as alone:
            reason = str(alone).splitlines()[0]
            return RegistrationError(
                f"{where}: parameter {parameter.name!r} has type {_type_name(parameter.annotation)}, "
                f"which can't be offered: {reason}"
            )
    return RegistrationError(f"{where}: the signature can't be offered: {str(error).splitlines()[0]}")


def _type_name(annotation: Any) -> str:
    return annotation.__name__ if isinstance(annotation, type) else str(annotation)


def _described(schema: Mapping[str, Any], parameter: _Parameter, doc: DocstringParts, where: str) -> dict[str, Any]:
    """The schema of one parameter, with what the docstring says of it and its default."""
    shown = dict(schema["properties"][parameter.name])
    if parameter.name in doc.parameters:
        shown.setdefault("description", doc.parameters[parameter.name])
    if not parameter.required:
        try:
            shown.setdefault("default", to_jsonable_python(parameter.default))
            json.dumps(shown["default"], allow_nan=False)
        except ValueError as error:
            raise RegistrationError(
                f"{where}: the default of parameter {parameter.name!r} has no JSON form: {error}"
            ) from error
    return shown
