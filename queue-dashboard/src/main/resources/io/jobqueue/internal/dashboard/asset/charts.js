"use strict";

// Draws each .chart of the page from the JSON at its data-src, again when the page refreshes, and fills a table
// with the same values. Values that are null are unknown: the line has a gap there.

{
	const FRESH_MILLIS = 10_000;
	const HEIGHT = 190;
	const PARTS = [["d", 86_400], ["h", 3_600], ["min", 60], ["s", 1], ["ms", 0.001], ["µs", 0.000_001]];
	const DAY_SECONDS = 86_400;

	const count = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
	const short = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 });
	const minute = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
	const day = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric" });
	const MOMENT = { weekday: "short", hour: "2-digit", minute: "2-digit" };
	const moment = new Intl.DateTimeFormat(undefined, MOMENT);
	const zonedMoment = new Intl.DateTimeFormat(undefined, { ...MOMENT, timeZoneName: "short" });

	const formats = {
		count: (value) => count.format(value),
		time: (seconds) => {
			const [unit, size] = PARTS.find(([, size]) => seconds >= size) ?? ["s", 1];
			return `${short.format(seconds / size)} ${unit}`;
		},
	};

	// Steps of the axis in seconds that read well
	const TIME_STEPS = [0.000_001, 0.000_002, 0.000_005, 0.000_01, 0.000_02, 0.000_05, 0.000_1, 0.000_2, 0.000_5, 0.001, 0.002,
		0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200,
		10_800, 21_600, 43_200, DAY_SECONDS, 2 * DAY_SECONDS];
	const COUNT_STEPS = [1, 2, 5].flatMap((digit) => Array.from({ length: 12 }, (_, zeros) => digit * 10 ** zeros))
		.sort((one, other) => one - other);

	function colour(name) {
		return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
	}

	function element(name, text, attributes = {}) {
		const created = document.createElement(name);
		created.textContent = text;
		Object.entries(attributes).forEach(([key, value]) => created.setAttribute(key, value));
		return created;
	}

	class Chart {

		constructor(figure) {
			this.figure = figure;
			this.plot = figure.querySelector(".plot");
			this.details = figure.querySelector("details");
			this.format = formats[figure.dataset.kind];
			this.loaded = -Infinity;
			this.details.addEventListener("toggle", () => this.fillTable());
			this.plot.addEventListener("mouseleave", () => this.showLatest());
			new ResizeObserver(() => setTimeout(() => this.resize())).observe(this.plot);
		}

		async load() {
			if (document.hidden || performance.now() - this.loaded < FRESH_MILLIS) {
				return;
			}
			this.loaded = performance.now();
			try {
				const response = await fetch(this.figure.dataset.src, { headers: { Accept: "application/json", ...OF_SCRIPT } });
				if (response.status === 401 || response.redirected) {
					// The session has ended: the page follows it to the login
					document.body.dispatchEvent(new Event("refresh"));
				}
				if (!response.ok) {
					throw new Error(response.statusText);
				}
				this.data = await response.json();
				this.show();
			}
			catch (error) {
				this.state("This chart could not be loaded; it is tried again.");
				console.debug(error);
			}
		}

		resize() {
			if (this.drawing && this.drawing.width !== this.plot.clientWidth) {
				this.drawing.setSize({ width: this.plot.clientWidth, height: HEIGHT });
			}
		}

		// The legend has the values at the cursor, or else the latest ones; uPlot is ready after a microtask
		showLatest() {
			queueMicrotask(() => this.drawing?.setLegend({ idx: this.columns[0].length - 1 }));
		}

		state(text) {
			const state = this.figure.querySelector(".chart-state");
			if (state.textContent !== text) {
				state.textContent = text;
			}
		}

		show() {
			const known = this.data.series.some((series) => series.values.some((value) => value !== null));
			this.state(known ? "" : "Nothing was recorded in this time.");
			const times = this.data.series[0].values.map((_, index) => this.data.from + index * this.data.step);
			this.moments = this.namesOf(times);
			this.columns = [times, ...this.data.series.map((series) => series.values)];
			if (this.drawing) {
				this.drawing.setData(this.columns);
				this.showLatest();
			}
			else {
				this.draw();
			}
			this.fillTable();
		}

		// A change of clocks repeats an hour
		namesOf(times) {
			const names = times.map((time) => moment.format(time * 1000));
			return new Set(names).size === names.length ? names : times.map((time) => zonedMoment.format(time * 1000));
		}

		name(value) {
			return value === null ? "unknown" : this.format(value);
		}

		draw() {
			this.drawing?.destroy();
			this.drawing = new uPlot(this.options(), this.columns, this.plot);
			this.showLatest();
		}

		options() {
			const text = colour("--soft");
			const grid = { stroke: colour("--chart-grid"), width: 1 };
			const axis = { stroke: text, grid, ticks: { show: false }, font: `12px ${colour("--font")}` };
			const days = this.columns[0].length * this.data.step > 2 * DAY_SECONDS;
			return {
				width: this.plot.clientWidth,
				height: HEIGHT,
				scales: { x: { time: true }, y: { range: (_, low, high) => [0, high > 0 ? high * 1.1 : 1] } },
				axes: [
					{ ...axis, size: 30, space: 75, values: (_, ticks) => ticks.map((tick) => (days ? day : minute).format(tick * 1000)) },
					{ ...axis, size: 64, incrs: this.figure.dataset.kind === "count" ? COUNT_STEPS : TIME_STEPS,
						values: (_, ticks) => ticks.map((tick) => tick === 0 ? "0" : this.format(tick)) },
				],
				series: [
					{ label: "Time", value: (_, __, ___, index) => index === null ? "" : this.moments[index] },
					...this.data.series.map((series, index) => ({
						label: series.label,
						stroke: colour(`--chart-${index + 1}`),
						width: 2,
						dash: index === 0 ? undefined : [6, 3],
						value: (_, value, __, index) => index === null ? "" : this.name(value),
					})),
				],
				cursor: { drag: { x: false, y: false } },
			};
		}

		// Newest first, as that is what is read most
		fillTable() {
			if (!this.details.open || !this.data) {
				return;
			}
			const head = element("tr", "");
			head.append(element("th", "Time", { scope: "col" }),
				...this.data.series.map((series) => element("th", series.label, { scope: "col", class: "number" })));
			const table = element("table", "");
			table.createTHead().append(head);
			const body = table.createTBody();
			for (let index = this.columns[0].length - 1; index >= 0; index--) {
				const row = body.insertRow();
				row.append(element("th", this.moments[index], { scope: "row" }),
					...this.data.series.map(({ values }) => element("td",
						this.name(values[index]), { class: "number" })));
			}
			this.details.querySelector(".scroll").replaceChildren(table);
		}

	}

	const charts = [...document.querySelectorAll(".chart")].map((figure) => new Chart(figure));
	const load = () => charts.forEach((chart) => chart.load());

	document.body.addEventListener("refresh", load);
	document.addEventListener("visibilitychange", load);
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () =>
		charts.filter((chart) => chart.drawing).forEach((chart) => chart.draw()));
	load();
}
