const form = document.querySelector("#form");
const outcome = document.querySelector("#outcome");
const live = document.querySelector("#live");
const list = document.querySelector("#signups");
const digestList = document.querySelector("#digests");
const template = document.querySelector("#row");
const rows = new Map();
const pause = 1000;
const hurry = 200;

form.addEventListener("submit", async (event) => {
	event.preventDefault();
	const button = form.querySelector("button");
	button.disabled = true;
	try {
		await signUp(Object.fromEntries(new FormData(form)));
	}
	catch {
		say("The application does not answer. Is it running?", true);
	}
	button.disabled = false;
});

async function signUp(profile) {
	const response = await fetch("/signups", {
		method: "POST",
		headers: { "Content-Type": "application/json" },
		body: JSON.stringify(profile)
	});
	const answer = await response.json();
	explain(answer.errors ?? []);
	if (response.ok) {
		form.reset();
		form.elements.name.focus();
		say(`Thank you, ${answer.name}. Your mail is on its way.`);
		refresh();
	}
	else {
		say(answer.errors ? "" : (answer.detail ?? "That did not work. Try again in a moment."), true);
	}
}

function explain(errors) {
	for (const input of form.querySelectorAll("input")) {
		const reasons = errors.filter((error) => error.field === input.name).map((error) => error.reason);
		input.setAttribute("aria-invalid", reasons.length > 0);
		document.querySelector(`#${input.name}-reason`).textContent = reasons.join(" ");
	}
	form.querySelector("[aria-invalid=true]")?.focus();
}

function say(text, failed = false) {
	outcome.textContent = text;
	outcome.classList.toggle("failed", failed);
}

async function refresh() {
	try {
		const [signups, digests] = await Promise.all([fetch("/signups"), fetch("/digests")]);
		if (signups.ok && digests.ok) {
			show(await signups.json());
			showDigests(await digests.json());
		}
		connected(signups.ok && digests.ok);
	}
	catch {
		connected(false);
	}
}

function connected(yes) {
	const text = yes ? "Live" : "The application does not answer, trying again";
	if (live.textContent !== text) {
		live.textContent = text;
		live.className = yes ? "live on" : "live off";
	}
}

function show(signups) {
	const first = rows.size === 0;
	const shown = signups.map((signup) => update(rows.get(signup.id) ?? create(signup, first), signup));
	if (shown.some((row, index) => row !== list.children[index])) {
		list.replaceChildren(...shown);
	}
	for (const [id, row] of rows) {
		if (!row.isConnected) {
			rows.delete(id);
		}
	}
	document.querySelector("#empty").hidden = signups.length > 0;
}

function showDigests(digests) {
	const latest = digests[0]?.id ?? 0;
	if (digestList.dataset.latest !== String(latest)) {
		digestList.dataset.latest = latest;
		digestList.replaceChildren(...digests.map(createDigest));
	}
}

function createDigest(digest) {
	const row = document.querySelector("#digest").content.firstElementChild.cloneNode(true);
	row.querySelector("[data-signups]").textContent = `${digest.signups} new`;
	setTime(row, digest.tick);
	row.querySelector("[data-mail]").href = `/mails/digests/${digest.id}`;
	return row;
}

function setTime(row, text) {
	const time = row.querySelector("[data-time]");
	time.dateTime = text;
	time.textContent = new Date(text).toLocaleTimeString();
	time.title = new Date(text).toLocaleString();
}

function create(signup, first) {
	const row = template.content.firstElementChild.cloneNode(true);
	row.querySelector("[data-name]").textContent = signup.name;
	row.querySelector("[data-email]").textContent = signup.email;
	setTime(row, signup.createdAt);
	row.querySelector("[data-mail]").href = `/mails/${signup.id}`;
	row.querySelector("[data-workflow]").href = `/jobqueue/workflows/${signup.workflow}`;
	row.querySelector("[data-workflow]").hidden = !signup.workflow;
	row.classList.toggle("new", !first);
	rows.set(signup.id, row);
	return row;
}

function update(row, signup) {
	const status = signup.status.toLowerCase();
	const badge = row.querySelector("[data-status]");
	badge.textContent = status[0].toUpperCase() + status.slice(1);
	badge.className = `badge ${status}`;
	row.querySelector("[data-mail]").hidden = status === "pending";
	return row;
}

async function watch() {
	if (!document.hidden) {
		await refresh();
	}
	setTimeout(watch, list.querySelector(".pending") ? hurry : pause);
}

watch();
