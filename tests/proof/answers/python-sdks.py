"""Uses the Python SDKs with a gateway: BASE_URL=… API_KEY=… python python-sdks.py

Prints a line of JSON for each check: its name, and the problem or null.
"""

import enum
import json
import os
import sys
import traceback
from typing import Literal, Optional


def refuse_other_hosts(event, arguments):
    """Nothing but the gateway on this machine can be reached, also by what an SDK does on its own."""
    if event == "socket.getaddrinfo" and arguments[0] != "127.0.0.1":
        raise PermissionError(f"looks up {arguments[0]}")
    if event == "socket.connect" and arguments[1][0] != "127.0.0.1":
        raise PermissionError(f"connects to {arguments[1]}")


sys.addaudithook(refuse_other_hosts)

import anthropic
import openai
from google import genai
from google.genai import types
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from pydantic import BaseModel, Field

base_url, api_key = os.environ["BASE_URL"], os.environ["API_KEY"]
gpt, claude, gemini = "gpt-reference", "claude-reference", "gemini-reference"

openai_client = openai.OpenAI(api_key=api_key, base_url=f"{base_url}/v1", max_retries=0)
anthropic_client = anthropic.Anthropic(api_key=api_key, base_url=base_url, max_retries=0)
google_client = genai.Client(api_key=api_key, http_options={"base_url": base_url, "api_version": "v1beta"})

greeting = [{"role": "user", "content": "Hi"}]
about_person = [{"role": "user", "content": "Describe a person."}]
about_weather = [{"role": "user", "content": "Call get_weather for Paris."}]
weather = "12 degrees and rain"


class Address(BaseModel):
    city: str
    kind: Literal["home", "work"]


class Person(BaseModel):
    name: str
    age: int = Field(ge=18, le=150)
    tags: list[str] = Field(min_length=1)
    address: Address
    nickname: Optional[str]


class Place(BaseModel):
    city: str
    unit: Literal["celsius", "fahrenheit"]


checks = []


def check(function):
    checks.append(function)
    return function


# OpenAI: chat completions

weather_tool = openai.pydantic_function_tool(Place, name="get_weather")


@check
def chat_parse_returns_an_object():
    completion = openai_client.chat.completions.parse(model=gpt, messages=about_person, response_format=Person)
    assert isinstance(completion.choices[0].message.parsed, Person)


@check
def chat_parse_raises_for_an_object_that_is_cut():
    try:
        openai_client.chat.completions.parse(
            model=gpt, messages=about_person, response_format=Person, max_completion_tokens=2
        )
    except openai.LengthFinishReasonError:
        return
    raise AssertionError("parse raised nothing")


@check
def chat_stream_puts_an_object_and_the_usage_together():
    with openai_client.chat.completions.stream(
        model=gpt, messages=about_person, response_format=Person, stream_options={"include_usage": True}
    ) as stream:
        kinds = {event.type for event in stream}
        completion = stream.get_final_completion()
    assert {"content.delta", "content.done"} <= kinds, kinds
    assert isinstance(completion.choices[0].message.parsed, Person)
    assert completion.usage.total_tokens > 0


@check
def chat_stream_puts_a_call_together():
    with openai_client.chat.completions.stream(
        model=gpt, messages=about_weather, tools=[weather_tool], tool_choice="required"
    ) as stream:
        kinds = {event.type for event in stream}
        completion = stream.get_final_completion()
    assert {"tool_calls.function.arguments.delta", "tool_calls.function.arguments.done"} <= kinds, kinds
    assert isinstance(completion.choices[0].message.tool_calls[0].function.parsed_arguments, Place)


@check
def chat_answers_with_the_result_of_a_tool():
    first = openai_client.chat.completions.create(model=gpt, messages=about_weather, tools=[weather_tool])
    assert first.choices[0].finish_reason == "tool_calls"
    message = first.choices[0].message
    result = {"role": "tool", "tool_call_id": message.tool_calls[0].id, "content": weather}
    second = openai_client.chat.completions.create(
        model=gpt, messages=[*about_weather, message, result], tools=[weather_tool]
    )
    assert weather in second.choices[0].message.content
    assert second.choices[0].finish_reason == "stop"


# OpenAI: responses

response_tool = {"type": "function", **weather_tool["function"]}


@check
def responses_parse_returns_an_object():
    response = openai_client.responses.parse(model=gpt, input=about_person, text_format=Person)
    assert isinstance(response.output_parsed, Person)


@check
def responses_stream_begins_and_completes():
    with openai_client.responses.stream(model=gpt, input="Hi") as stream:
        events = list(stream)
        response = stream.get_final_response()
    streamed = "".join(event.delta for event in events if event.type == "response.output_text.delta")
    assert response.output_text == streamed != ""
    assert [events[0].type, events[-1].type] == ["response.created", "response.completed"]


@check
def responses_answers_with_the_output_of_a_function():
    first = openai_client.responses.create(model=gpt, input=about_weather, tools=[response_tool])
    call = first.output[0]
    Place.model_validate_json(call.arguments)
    output = {"type": "function_call_output", "call_id": call.call_id, "output": weather}
    second = openai_client.responses.create(
        model=gpt, input=[*about_weather, *first.output, output], tools=[response_tool]
    )
    assert weather in second.output_text


@check
def responses_has_all_members_of_its_model():
    response = openai_client.responses.create(model=gpt, input="Hi")
    assert missing_in(response) == []


def missing_in(answer):
    fields = type(answer).model_fields
    sent = answer.to_dict()
    return [name for name, field in fields.items() if field.is_required() and name not in sent]


# Anthropic

def ask_claude(messages, **more):
    return {"model": claude, "max_tokens": 2000, "messages": messages, **more}


message_tool = {"name": "get_weather", "input_schema": Place.model_json_schema()}


def text_of(message):
    return "".join(block.text for block in message.content if block.type == "text")


@check
def messages_stream_puts_the_text_together():
    with anthropic_client.messages.stream(**ask_claude(greeting)) as stream:
        streamed = "".join(stream.text_stream)
        message = stream.get_final_message()
    assert text_of(message) == streamed != ""
    assert message.stop_reason == "end_turn"
    assert message.usage.output_tokens > 0


@check
def messages_stream_thinks_first():
    thinking = {"type": "enabled", "budget_tokens": 1024}
    with anthropic_client.messages.stream(**ask_claude(greeting, thinking=thinking)) as stream:
        kinds = {event.type for event in stream}
        message = stream.get_final_message()
    assert {"thinking", "signature", "text"} <= kinds, kinds
    assert [block.type for block in message.content] == ["thinking", "text"]
    assert message.content[0].signature


@check
def messages_stream_puts_a_tool_use_together():
    choice = {"type": "any"}
    with anthropic_client.messages.stream(
        **ask_claude(greeting, tools=[message_tool], tool_choice=choice)
    ) as stream:
        kinds = {event.type for event in stream}
        message = stream.get_final_message()
    assert "input_json" in kinds, kinds
    Place.model_validate(message.content[0].input)


@check
def messages_answers_with_the_result_of_a_tool():
    first = anthropic_client.messages.create(**ask_claude(about_weather, tools=[message_tool]))
    assert first.stop_reason == "tool_use"
    result = {"type": "tool_result", "tool_use_id": first.content[0].id, "content": weather}
    messages = [
        *about_weather,
        {"role": "assistant", "content": first.content},
        {"role": "user", "content": [result]},
    ]
    second = anthropic_client.messages.create(**ask_claude(messages, tools=[message_tool]))
    assert weather in text_of(second)


@check
def messages_tool_runner_calls_the_function():
    places = []

    @anthropic.beta_tool
    def get_weather(city: str) -> str:
        """The weather in a city."""
        places.append(city)
        return weather

    runner = anthropic_client.beta.messages.tool_runner(
        **ask_claude(about_weather), tools=[get_weather], max_iterations=4
    )
    assert weather in text_of(runner.until_done())
    assert len(places) == 1


@check
def messages_parse_returns_an_object():
    message = anthropic_client.messages.parse(**ask_claude(about_person), output_format=Person)
    assert isinstance(message.parsed_output, Person)


@check
def messages_has_all_members_of_its_model():
    message = anthropic_client.messages.create(**ask_claude(greeting))
    assert missing_in(message) == []
    assert missing_in(message.usage) == []


# Google

def generate(contents, **config):
    return google_client.models.generate_content(model=gemini, contents=contents, config=config)


@check
def generate_calls_the_function_automatically():
    places = []

    def get_weather(city: str) -> dict:
        """The weather in a city."""
        places.append(city)
        return {"weather": weather}

    assert weather in generate("Call get_weather for Paris.", tools=[get_weather]).text
    assert len(places) == 1


@check
def generate_returns_an_object():
    answer = generate("A person", response_mime_type="application/json", response_schema=Person)
    assert isinstance(answer.parsed, Person), answer.text


@check
def generate_returns_a_list_of_objects():
    answer = generate("Persons", response_mime_type="application/json", response_schema=list[Person])
    assert answer.parsed and all(isinstance(person, Person) for person in answer.parsed), answer.text


@check
def generate_returns_a_value_of_an_enumeration():
    class Kind(enum.Enum):
        HOME = "home"
        WORK = "work"

    answer = generate("A kind", response_mime_type="text/x.enum", response_schema=Kind)
    assert isinstance(answer.parsed, Kind), answer.text


@check
def generate_streams_text_and_usage():
    chunks = list(google_client.models.generate_content_stream(model=gemini, contents="Hi"))
    assert "".join(chunk.text or "" for chunk in chunks) == generate("Hi").text
    assert chunks[-1].candidates[0].finish_reason == types.FinishReason.STOP
    assert chunks[-1].usage_metadata.total_token_count > 0


# LangChain

@tool
def get_weather(city: str) -> str:
    """The weather in a city."""
    return weather


def langchain(**options):
    return ChatOpenAI(model=gpt, api_key=api_key, base_url=f"{base_url}/v1", max_retries=0, **options)


def check_each(name):
    """Adds a check for chat completions and one for responses."""

    # Only chat completions must be asked for the usage.
    apis = {"chat": {"stream_usage": True}, "responses": {"use_responses_api": True}}

    def add(function):
        for api, options in apis.items():
            def run(options=options):
                function(langchain(**options))

            run.__name__ = f"langchain_{api}_{name}"
            check(run)

    return add


@check_each("answers_with_the_result_of_a_tool")
def _(model):
    question = HumanMessage("Call get_weather for Paris.")
    bound = model.bind_tools([get_weather])
    first = bound.invoke([question])
    call = first.tool_calls[0]
    assert isinstance(call["args"]["city"], str)
    second = bound.invoke([question, first, ToolMessage(weather, tool_call_id=call["id"])])
    assert weather in second.text


@check_each("returns_objects_by_each_method")
def _(model):
    for method in ("json_schema", "function_calling"):
        person = model.with_structured_output(Person, method=method).invoke("Describe a person.")
        assert isinstance(person, Person), method


@check_each("streams_text_and_usage")
def _(model):
    whole = None
    for chunk in model.stream("Hi"):
        whole = chunk if whole is None else whole + chunk
    assert gpt in whole.text
    assert whole.usage_metadata["total_tokens"] > 0


for run in checks:
    try:
        run()
        problem = None
    except Exception as error:
        line = traceback.extract_tb(error.__traceback__)[-1].line
        problem = f"{type(error).__name__}: {error} at `{line}`"
    print(json.dumps({"check": run.__name__.replace("_", " "), "problem": problem}), flush=True)
