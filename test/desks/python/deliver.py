"""Part 6: what a change tells, and its way to the hooks of those who asked to be told."""

import base64
import hashlib
import hmac
import http.client
import json
import queue
import ssl
import threading
import time
import uuid
from functools import cached_property
from urllib.parse import urlsplit

from store import seconds


class Deliveries:
    """One thread a hook makes the first attempts, in their order; another makes all that are made again."""

    def __init__(self, desk, trust):
        self.desk = desk
        self.trust = trust
        self.lines = {}

    @cached_property
    def tls(self):
        context = ssl.create_default_context()
        if self.trust:
            context.load_verify_locations(self.trust)
        return context

    def tell(self, by, s):
        """Tells that something was done, an operation or a transition by its name. The desk is locked meanwhile."""
        events = self.desk.table["events"]
        way = events["delivery"].get("hooks")
        if way is None:
            return
        for kind, stated in events["kinds"].items():
            if by not in stated["by"]:
                continue
            data = {name: value(s) for name, value in stated["body"].items()}
            event = {"specversion": "1.0", "id": str(uuid.uuid4()), "type": kind}
            for attribute in ("source", "subject"):
                if attribute in events:
                    event[attribute] = events[attribute](s)
            event |= {"time": s.now, "datacontenttype": "application/json", "data": data}
            content = json.dumps(event if events["envelope"] == "cloudevents" else data).encode()
            for hook in list(self.desk.hooks.values()):
                if "where" not in way or way["where"](s.about(hook, (kind, s.item))):
                    self.line(hook["id"]).put((event["id"], content))

    def line(self, hook):
        if hook not in self.lines:
            self.lines[hook] = queue.Queue()
            threading.Thread(target=self.work, args=(hook, self.lines[hook]), daemon=True).start()
        return self.lines[hook]

    def work(self, hook, line):
        while True:
            message, content = line.get()
            if not self.attempt(hook, message, content):
                self.again(hook, message, content, 0)

    def again(self, hook, message, content, count):
        way = self.desk.table["events"]["delivery"].get("hooks", {})
        pauses = way.get("retries", [])
        if count >= len(pauses):
            return

        def retry():
            if not self.attempt(hook, message, content):
                self.again(hook, message, content, count + 1)

        timer = threading.Timer(seconds(pauses[count]), retry)
        timer.daemon = True
        timer.start()

    def attempt(self, hook, message, content):
        """Whether it was taken: any 2xx. A hook that is gone is told nothing more."""
        item = self.desk.hooks.get(hook)
        way = self.desk.table["events"]["delivery"].get("hooks")
        if item is None or way is None:
            return True
        url = urlsplit(item["url"])
        timeout = seconds(way.get("timeout", "PT15S"))
        if not url.hostname:
            return False
        try:
            if url.scheme == "https":
                connection = http.client.HTTPSConnection(url.hostname, url.port, timeout=timeout, context=self.tls)
            else:
                connection = http.client.HTTPConnection(url.hostname, url.port, timeout=timeout)
            target = (url.path or "/") + (f"?{url.query}" if url.query else "")
            connection.request("POST", target, content, self.fields(item, message, content))
            status = connection.getresponse().status
            connection.close()
            return 200 <= status < 300
        except (OSError, http.client.HTTPException, ValueError):
            return False

    def fields(self, hook, message, content):
        """Standard Webhooks 1.0: an HMAC over the id, the time and the content."""
        events = self.desk.table["events"]
        way = events["delivery"]["hooks"]
        is_event = events["envelope"] == "cloudevents"
        fields = {"Content-Type": "application/cloudevents+json" if is_event else "application/json"}
        key = way["secret"](self.desk.scene(item=hook))
        if way.get("sign") != "standard-webhooks" or key is None:
            return fields
        at = str(int(time.time()))
        text = key.removeprefix("whsec_").rstrip("=")
        secret = base64.b64decode(text + "=" * (-len(text) % 4))
        mac = hmac.new(secret, f"{message}.{at}.".encode() + content, hashlib.sha256).digest()
        signature = "v1," + base64.b64encode(mac).decode()
        return fields | {"webhook-id": message, "webhook-timestamp": at, "webhook-signature": signature}
