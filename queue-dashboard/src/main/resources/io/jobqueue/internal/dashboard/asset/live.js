// A SharedWorker: one stream of the server for all tabs of this browser.

const ports = new Set();
const RETRY_MILLIS = 10_000;
let source;

function connect() {
	source = new EventSource(new URL("../../live", location));
	source.addEventListener("refresh", () => send("refresh"));
	source.addEventListener("lost", () => send("lost"));
	source.onopen = () => send("open");
	source.onerror = () => {
		send("lost");
		if (source.readyState === EventSource.CLOSED) {
			// The server has refused the stream, such as after the end of a session: pages refresh at each attempt
			setTimeout(() => {
				send("refresh");
				connect();
			}, RETRY_MILLIS);
		}
	};
}

function send(event) {
	ports.forEach((port) => port.postMessage(event));
}

onconnect = ({ ports: [port] }) => {
	ports.add(port);
	port.onmessage = () => ports.delete(port);
	if (source === undefined) {
		connect();
	}
	else if (source.readyState === EventSource.OPEN) {
		port.postMessage("open");
	}
};
