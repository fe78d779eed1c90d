# SPDX-License-Identifier: BSD-3-Clause
"""Chromium without a window, driven over its debugging pipe; PROGRAM is None where there is none."""
import base64
import json
import os
import select
import shutil
import subprocess
import time

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
LONGEST = 60 * float(os.environ.get("TEST_TIME_LIMITS", "1"))  # seconds until any answer


class Browser:
    def __init__(self, folder):
        to_browser, self.writer = os.pipe()
        self.reader, from_browser = os.pipe()

        def place_pipes():
            # Where the two may already be, duplicates above keep them apart.
            source, sink = os.dup(to_browser), os.dup(from_browser)
            os.dup2(source, 3)
            os.dup2(sink, 4)

        self.process = subprocess.Popen(
            [PROGRAM, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             f"--user-data-dir={folder}/profile", "--window-size=1280,1000", "--no-startup-window"],
            preexec_fn=place_pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.number, self.events, self.session = b"", 0, [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def receive(self, seconds):
        deadline = time.monotonic() + seconds
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.reader], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError("the browser does not answer")
            self.buffer += os.read(self.reader, 1 << 20)
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.writer, json.dumps(request).encode() + b"\0")
        while True:
            message = self.receive(LONGEST)
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def open(self, path):
        self.events.clear()
        self.call("Page.navigate", url=f"file://{path}")
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.receive(LONGEST))

    def work_of_opening(self, path):
        """
        How many blocks of its scripts a page executes until it is open, counted in a process of its own, where nothing is
        compiled yet: the same number on every machine, unlike the time.
        """
        usual, self.session = self.session, None
        context = self.call("Target.createBrowserContext")["browserContextId"]
        target = self.call("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Profiler"):
            self.call(domain + ".enable")
        self.call("Profiler.startPreciseCoverage", callCount=True, detailed=True)
        self.open(path)
        scripts = self.call("Profiler.takePreciseCoverage")["result"]
        self.session = None
        self.call("Target.disposeBrowserContext", browserContextId=context)
        self.session = usual
        return sum(block["count"] for script in scripts for function in script["functions"] for block in function["ranges"])

    def evaluate(self, expression):
        """Its value, or what it promises."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait_for_timers(self):
        """Until what was to happen at once, but later, has happened."""
        self.evaluate("new Promise(done => setTimeout(() => done(0)))")

    def wait_for_layout(self):
        """Until the page was drawn, and what observes sizes was called."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")

    def complaints(self):
        """Errors, and requests for anything but the page."""
        found = []
        for event in self.events:
            method, parameters = event.get("method"), event.get("params", {})
            if method in ("Runtime.exceptionThrown", "Log.entryAdded", "Page.javascriptDialogOpening"):
                found.append(json.dumps(parameters)[:400])
            if method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning"):
                found.append(json.dumps(parameters)[:400])
        requests = {e["params"]["request"]["url"] for e in self.events if e.get("method") == "Network.requestWillBeSent"}
        return found + [url for url in requests if not url.startswith("file:///") or not url.endswith("report.html")]

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
        except (TimeoutError, OSError):
            self.process.kill()
        self.process.wait(LONGEST)

    def show(self, width, dark=False, height=1000):
        """The window's size, and the colours that the person prefers."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def picture(self, path):
        """The whole page as PNG."""
        data = self.call("Page.captureScreenshot", captureBeyondViewport=True)["data"]
        path.write_bytes(base64.b64decode(data))

    def print(self, path):
        """The pages of paper as PDF."""
        path.write_bytes(base64.b64decode(self.call("Page.printToPDF", printBackground=False)["data"]))
