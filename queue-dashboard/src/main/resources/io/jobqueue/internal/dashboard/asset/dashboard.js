"use strict";

// Pages work without this script. It shows times and numbers as the browser's user writes them, asks before
// dangerous actions, and refreshes the element #live when the server says that something has changed.

const REFRESH_WITHOUT_STREAM_MILLIS = 10_000;
const UNITS = [["day", 86_400], ["hour", 3_600], ["minute", 60], ["second", 1]];

// With the zone: a schedule may have another one, and a change of clocks repeats an hour
const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "long" });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "always" });
const now = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" }).format(0, "second");
const decimal = new Intl.NumberFormat();

function age(time) {
	const seconds = (time - Date.now()) / 1000;
	const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
	// Not "tomorrow" for 25 hours: that may be the day after
	return Math.abs(seconds) < 1 ? now : relative.format(Math.trunc(seconds / size), unit);
}

function localise(root) {
	root.querySelectorAll("time[datetime]").forEach((element) => {
		const time = new Date(element.dateTime);
		element.title = absolute.format(time);
		element.textContent = "absolute" in element.dataset ? absolute.format(time) : age(time);
	});
	root.querySelectorAll("data[value]").forEach((element) => {
		element.textContent = decimal.format(Number(element.value));
	});
}

// After the end of a session, servers answer requests of scripts without a challenge, for which the browser would ask
// instead of the login page

const OF_SCRIPT = { "X-Requested-With": "XMLHttpRequest" };

document.addEventListener("htmx:configRequest", ({ detail }) => Object.assign(detail.headers, OF_SCRIPT));

// What the user does in the part that is replaced must not get lost

function isEdited({ value, defaultValue }) {
	return value !== defaultValue;
}

function isBusy(live) {
	const form = document.activeElement?.closest("form");
	const selection = getSelection();
	return document.hidden || (form && live.contains(form)) || [...live.querySelectorAll("input")].some(isEdited) || live.querySelector("details.action[open], dialog[open]")
		|| (!selection.isCollapsed && live.contains(selection.anchorNode));
}

function refresh() {
	const live = document.getElementById("live");
	if (live && !isBusy(live)) {
		document.body.dispatchEvent(new Event("refresh"));
	}
}

const SCROLLABLE = ".scroll, pre[id]";
const FOCUSABLE = "a[href], button, summary, input, select, [tabindex]";

// Rows have controls of the same text, and texts change: a row is known by its heading, a link by its address, and the
// summary of a list by the list

function nameOf(element) {
	const row = element.closest("tr")?.querySelector("th")?.textContent;
	const label = element.getAttribute("href") ?? element.getAttribute("aria-label") ?? element.textContent;
	const id = element.id || (element.tagName === "SUMMARY" && element.parentElement.id);
	return id || [element.tagName, row, element.form?.action, label].join(" ");
}

function named(name) {
	const main = document.getElementById("main");
	return [main, ...main.querySelectorAll(FOCUSABLE)].filter((element) => nameOf(element) === name);
}

// Several links may lead to one page

function placeOf(element) {
	const name = nameOf(element);
	return { name, index: named(name).indexOf(element) };
}

function elementAt({ name, index }) {
	const elements = named(name);
	return elements[index] ?? elements.at(-1);
}

// Where the user is, and around it: a link may have gone

function placesOfFocus(live) {
	const element = document.activeElement;
	return live.contains(element) ? [element, element.parentElement.closest("[tabindex]")].map(placeOf) : [];
}

let focused = [];
let openDetails = [];
let scrolled = new Map();

document.addEventListener("htmx:beforeSwap", (event) => {
	if (event.detail.target.id !== "live") {
		return;
	}
	if (!event.detail.serverResponse.includes('id="live"')) {
		// A login page, or an error page: the user sees it instead of an empty page
		event.detail.shouldSwap = false;
		if (event.detail.xhr.status < 500) {
			location.reload();
		}
		return;
	}
	const live = document.getElementById("live");
	if (isBusy(live)) {
		// The user has begun something since the request
		event.detail.shouldSwap = false;
		receive("open");
		return;
	}
	focused = placesOfFocus(live);
	openDetails = [...live.querySelectorAll("details[open][id]")].map((element) => element.id);
	scrolled = new Map([...live.querySelectorAll(SCROLLABLE)]
		.map((element) => [nameOf(element), { scrollLeft: element.scrollLeft, scrollTop: element.scrollTop }]));
});

document.addEventListener("htmx:afterSwap", () => {
	const live = document.getElementById("live");
	if (!live) {
		localise(document);
		return;
	}
	receive("open");
	localise(live);
	openDetails.forEach((id) => document.getElementById(id)?.setAttribute("open", ""));
	live.querySelectorAll(SCROLLABLE).forEach((element) => Object.assign(element, scrolled.get(nameOf(element))));
	focused.map(elementAt).find(Boolean)?.focus({ preventScroll: true });
});

// Steps of an action on many jobs: one that fails replaces the page by its message, and ends the steps. So does the end
// of the session, by which the server answers with a login page or without a page

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
	if (detail.target.id !== "bulk") {
		return;
	}
	if (!detail.serverResponse.includes('data-live=')) {
		detail.shouldSwap = false;
		show(detail.xhr.status < 500 ? "bulk-ended" : "bulk-lost");
	}
	else if (detail.xhr.status >= 400) {
		detail.shouldSwap = true;
		detail.isError = false;
		detail.target = document.getElementById("main");
		detail.selectOverride = "#main";
		detail.target.focus();
	}
});

document.addEventListener("htmx:sendError", ({ detail }) => {
	if (detail.target.id === "bulk") {
		show("bulk-lost");
	}
});

function show(note) {
	document.getElementById(note).hidden = false;
	document.querySelector("#bulk form").hidden = note === "bulk-ended";
}

// A form that changes something is sent once: the second click of a double click would do it again. If the user
// stops the page that would follow, it may be sent again: browsers report that as an error of the navigation, or
// the page sees the key.

const sent = new Set();

addEventListener("pageshow", () => sent.clear());
globalThis.navigation?.addEventListener("navigateerror", () => sent.clear());
addEventListener("keydown", ({ key }) => key === "Escape" && sent.clear());

document.addEventListener("submit", (event) => {
	const form = event.target;
	const question = form.dataset.confirm;
	if (sent.has(form) || (question && !confirm(question))) {
		event.preventDefault();
	}
	else if (form.method === "post") {
		sent.add(form);
	}
});

// The stream, shared by the tabs of this browser where it has shared workers

let missed = false;

document.addEventListener("htmx:responseError", ({ detail }) => detail.xhr.status >= 500 && receive("lost"));
document.addEventListener("htmx:sendError", () => {
	receive("lost");
	followLogin();
});

// A login at another server: a page may go there, its requests in the background may not

function followLogin() {
	fetch(location.href, { redirect: "manual", headers: OF_SCRIPT })
		.then(({ type, status }) => (type === "opaqueredirect" || status === 401) && location.reload())
		.catch(() => {});
}

function receive(event) {
	document.getElementById("connection").hidden = event !== "lost";
	document.getElementById("connection").textContent = event === "lost" ? "Not live: reconnecting" : "";
	if (event === "refresh") {
		missed = document.hidden;
		refresh();
	}
}

function listen() {
	if (!document.getElementById("live")) {
		return;
	}
	addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
	if (typeof SharedWorker === "function") {
		const worker = new SharedWorker(document.body.dataset.worker, { name: "jobqueue" });
		worker.port.onmessage = ({ data }) => receive(data);
		worker.onerror = () => listenAlone();
		addEventListener("pagehide", () => worker.port.postMessage("close"));
	}
	else {
		listenAlone();
	}
}

// A tab in the background has no stream: without HTTP/2, six streams are all connections that a browser opens

let withoutStream;

function listenAlone() {
	let source;
	const follow = () => {
		if (document.hidden) {
			source?.close();
			source = undefined;
			missed = true;
		}
		else {
			source ??= connect();
		}
	};
	document.addEventListener("visibilitychange", follow);
	addEventListener("pagehide", () => source?.close());
	follow();
}

function connect() {
	const source = new EventSource(document.body.dataset.live);
	source.addEventListener("refresh", () => receive("refresh"));
	source.addEventListener("lost", () => receive("lost"));
	source.onopen = () => receive("open");
	source.onerror = () => {
		receive("lost");
		if (source.readyState === EventSource.CLOSED) {
			withoutStream ??= setInterval(refresh, REFRESH_WITHOUT_STREAM_MILLIS);
		}
	};
	return source;
}

document.addEventListener("visibilitychange", () => {
	if (!document.hidden && missed) {
		missed = false;
		refresh();
	}
});

// A reload after an action shows its subject: it neither repeats the action nor says again what it has done

function settleAddress() {
	const address = new URL(location.href);
	if (address.searchParams.has("done")) {
		address.searchParams.delete("done");
		history.replaceState(null, "", address);
	}
	else if (document.getElementById("bulk")) {
		history.replaceState(null, "", address);
	}
}

// A drawing that is wider than the window begins with the job of the page

function showCurrentNode() {
	for (const drawing of document.querySelectorAll(".drawing")) {
		const node = drawing.querySelector(".node-current")?.getBoundingClientRect();
		if (node) {
			drawing.scrollLeft += node.left + node.width / 2 - drawing.getBoundingClientRect().left - drawing.clientWidth / 2;
		}
	}
}

localise(document);
settleAddress();
showCurrentNode();
listen();
