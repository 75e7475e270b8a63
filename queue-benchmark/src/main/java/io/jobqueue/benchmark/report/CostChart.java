package io.jobqueue.benchmark.report;

import java.util.List;
import java.util.Locale;

import io.jobqueue.benchmark.frame.Numbers;
import io.jobqueue.benchmark.frame.Result;

/**
 * The costs of a job as an image that scales: a panel for each unit, with a bar of the
 * queue and one of plain SQL for each step.
 */
final class CostChart {

	private static final List<Step> STEPS = List.of(new Step("bulk", "enqueue, 1,000 a call"),
			new Step("archive", "run and archive"), new Step("gone", "run and delete"));

	private static final List<String> SIDES = List.of("", "plain_");

	private static final List<String> NAMES = List.of("job queue", "plain SQL that does the same");

	private static final List<String> COLORS = List.of("#1f77b4", "#b0b0b0");

	private static final int PANEL = 380;

	private static final int LEFT = 160;

	private static final int BAR = 14;

	private static final int ROW = 46;

	private static final int TOP = 66;

	private static final int WIDEST = PANEL - 70;

	private final Result result;

	private final StringBuilder svg = new StringBuilder();

	CostChart(Result result) {
		this.result = result;
	}

	static boolean canDraw(Result result) {
		return STEPS.stream().allMatch((step) -> result.has(step.name() + "_us"));
	}

	String draw() {
		int width = LEFT + 2 * PANEL;
		int height = TOP + STEPS.size() * ROW;
		add("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %s %s\" width=\"%s\" height=\"%s\" font-family=\"sans-serif\" font-size=\"12\">",
				width, height, width, height);
		add("<rect width=\"%s\" height=\"%s\" fill=\"white\"/>", width, height);
		legend();
		panel(LEFT, "µs of a processor for each job", "_us");
		panel(LEFT + PANEL, "bytes of write-ahead log for each job", "_bytes");
		add("</svg>");
		return this.svg.toString();
	}

	private void legend() {
		for (int side = 0; side < SIDES.size(); side++) {
			int x = LEFT + side * 110;
			bar(x, 10, BAR, COLORS.get(side));
			text(x + BAR + 6, 21, "start", NAMES.get(side));
		}
	}

	private void panel(int x, String title, String unit) {
		text(x, TOP - 16, "start", title);
		double most = STEPS.stream()
			.flatMap((step) -> SIDES.stream().map((side) -> side + step.name() + unit))
			.mapToDouble(this.result::figure)
			.max()
			.orElseThrow();
		for (int row = 0; row < STEPS.size(); row++) {
			row(x, TOP + row * ROW, STEPS.get(row), unit, most);
		}
	}

	private void row(int x, int y, Step step, String unit, double most) {
		if (x == LEFT) {
			text(x - 8, y + BAR + 4, "end", step.label());
		}
		for (int side = 0; side < SIDES.size(); side++) {
			double value = this.result.figure(SIDES.get(side) + step.name() + unit);
			int top = y + side * (BAR + 2);
			int length = (int) Math.round(WIDEST * value / most);
			bar(x, top, length, COLORS.get(side));
			text(x + length + 5, top + BAR - 3, "start", Numbers.text(value));
		}
	}

	private void bar(int x, int y, int length, String color) {
		add("<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" fill=\"%s\"/>", x, y, length, BAR, color);
	}

	private void text(int x, int y, String anchor, String text) {
		add("<text x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>", x, y, anchor, text);
	}

	private void add(String line, Object... values) {
		this.svg.append(String.format(Locale.ROOT, line, values)).append('\n');
	}

	/**
	 * A step of a job.
	 *
	 * @param name its name among the figures
	 * @param label what the chart calls it
	 */
	private record Step(String name, String label) {
	}

}
