#!/usr/bin/env bash
# htmx.org 2.0.10 in Chromium 156 (Debian's, driven by playwright-core 1.62.0), Content-Security-Policy style-src 'self'. An element with an
# id has a style that a script has set by the CSSOM, which the policy permits. htmx swaps it for one from the server without a style.
# Expected: no page has a style attribute, so the swap violates nothing.
# Seen: at the swap, htmx copies class, style, width and height of elements with the same id by setAttribute, and back later. The
# policy refuses the style, and the browser reports an inline style. With attributesToSettle: ["class"] there is no report.
set -euo pipefail
chromium=$(command -v chromium)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

export PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1
npm install --silent --no-fund --no-audit htmx.org@2.0.10 playwright-core@1.62.0

cat >swap.mjs <<'JS'
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { chromium } from "playwright-core";

const htmx = readFileSync("node_modules/htmx.org/dist/htmx.min.js");
let loads = 0;

function page(settled) {
	const config = JSON.stringify({ allowEval: false, includeIndicatorStyles: false, ...settled });
	return `<!doctype html><title>Swap</title><meta name="htmx-config" content='${config}'><script src="/htmx.js"></script>
		<div id="part" hx-get="" hx-select="#part" hx-swap="outerHTML" hx-trigger="refresh from:body">
			<input id="name"><output>${++loads}</output></div>`;
}

const server = createServer(({ url }, response) => {
	if (url === "/htmx.js") {
		response.setHeader("Content-Type", "text/javascript").end(htmx);
		return;
	}
	response.setHeader("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'");
	response.setHeader("Content-Type", "text/html").end(page(url === "/class" ? { attributesToSettle: ["class"] } : {}));
}).listen(0, "127.0.0.1");
await new Promise((ready) => server.once("listening", ready));

const browser = await chromium.launch({ executablePath: process.argv[2], args: ["--no-sandbox"] });

async function reports(path) {
	const tab = await browser.newPage();
	const seen = [];
	tab.on("console", (message) => /Content Security Policy/.test(message.text()) && seen.push(message.text()));
	await tab.goto(`http://127.0.0.1:${server.address().port}${path}`);
	await tab.evaluate(() => { document.querySelector("#name").style.caretColor = "transparent"; });
	const before = seen.length;
	const number = await tab.textContent("output");
	await tab.evaluate(() => new Promise((settled) => {
		document.body.addEventListener("htmx:afterSettle", settled, { once: true });
		document.body.dispatchEvent(new Event("refresh"));
	}));
	const swapped = (await tab.textContent("output")) !== number;
	return { before, swapped, after: seen.length, text: seen[0] ?? "" };
}

const byDefault = await reports("/");
const ofClasses = await reports("/class");
console.log("Chromium", browser.version());
console.log("by default:", byDefault);
console.log('attributesToSettle ["class"]:', ofClasses);
await browser.close();
server.close();
const asSeen = byDefault.swapped && byDefault.before === 0 && byDefault.after > 0 && /inline style/i.test(byDefault.text)
	&& ofClasses.swapped && ofClasses.after === 0;
console.log(asSeen ? "As seen." : "This has changed.");
process.exit(asSeen ? 0 : 1);
JS
node swap.mjs "$chromium"
