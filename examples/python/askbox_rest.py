"""Asks a person through askbox, and follows its inbox, with nothing but Python's standard library (3.9 or newer).

ASKBOX_HUB is the hub's address, ASKBOX_TOKEN a token: of scope "asker" to ask, of scope "desk" to follow the inbox.

    python3 askbox_rest.py ask "Deploy to production?"
    python3 askbox_rest.py follow
"""
import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid


def open_url(method, path, body=None, timeout=90):
    url = os.environ.get("ASKBOX_HUB", "http://127.0.0.1:4141") + path
    headers = {"Authorization": "Bearer " + os.environ["ASKBOX_TOKEN"], "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    return urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method), timeout=timeout)


# The connection broke, or a reply was cut off. Whatever was asked is still open.
BROKEN = (OSError, http.client.HTTPException)


def passes(error):
    """Whether it is worth trying again: not if the hub has refused the request."""
    return not isinstance(error, urllib.error.HTTPError) or error.code in (429, 503)


def call(method, path, body=None):
    """Sends a request until the hub has answered it. A refusal raises HTTPError, whose body is a sentence that says why."""
    while True:
        try:
            with open_url(method, path, body) as response:
                return json.load(response)
        except BROKEN as error:
            if not passes(error):
                raise
        time.sleep(1)


def ask(question, reply=lambda message: "This is a program; it can't explain further."):
    """Asks one question, and waits until it is settled. Check `answered` in the result: a timeout is no answer."""
    # The key makes it safe to send again: the same question under the same key joins the session that is there.
    session = call("POST", "/api/sessions", {"questions": [question], "key": str(uuid.uuid4())})
    path = "/api/sessions/" + session["id"]
    while session["status"] == "pending":
        messages = session.get("askedBack") or []
        if messages:
            call("POST", path + "/reply-back", {"text": reply("\n".join(each["text"] for each in messages))})
        session = call("GET", path + "?wait=60")
    return session


def follow():
    """Yields the inbox' events: first a snapshot of what is pending, also after a lost connection, then each change."""
    while True:
        try:
            with open_url("GET", "/api/events") as lines:
                for line in lines:
                    if line.startswith(b"data:") and line.endswith(b"\n"):
                        yield json.loads(line[5:])
        except BROKEN as error:
            if not passes(error):
                raise
        time.sleep(1)


if __name__ == "__main__":
    if sys.argv[1:2] == ["ask"]:
        settled = ask({"question": sys.argv[2], "type": "confirm"})
        print(settled["answers"][0]["values"][0] if settled["answered"] else "no answer: " + settled["status"])
    else:
        for event in follow():
            print(event["type"], event.get("session", {}).get("status", ""), flush=True)
