package io.jobqueue.benchmark.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

import io.jobqueue.benchmark.frame.Curve;
import io.jobqueue.benchmark.frame.Outcome;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.ChartEncoder;

/**
 * Draws outcomes into files of one folder, named by the date.
 */
final class Charts {

	private final Path folder;

	private final String date;

	private final List<String> files = new ArrayList<>();

	Charts(Path folder, String date) {
		this.folder = folder;
		this.date = date;
	}

	/**
	 * Draw what there is to draw.
	 * @return the names of the files
	 */
	List<String> draw(List<Outcome> outcomes) throws IOException {
		System.setProperty("java.awt.headless", "true");
		draw("ratios", outcomes, Charts::hasRatioBar, OutcomeCharts::ratios);
		draw("rates", outcomes, Charts::hasRates, OutcomeCharts::rates);
		draw("latencies", outcomes, Charts::isLatency, OutcomeCharts::latencies);
		for (Outcome outcome : outcomes) {
			drawCurves(outcome);
			drawCost(outcome);
		}
		return this.files;
	}

	private static boolean hasRatioBar(Outcome outcome) {
		return outcome.scenario().bars().stream().anyMatch((bar) -> bar.figure().equals("ratio"));
	}

	private static boolean hasRates(Outcome outcome) {
		return outcome.result().unit().equals("jobs/s") && outcome.result().has("floor");
	}

	private static boolean isLatency(Outcome outcome) {
		return outcome.result().has("p50") && outcome.result().has("p99");
	}

	private void draw(String name, List<Outcome> all, Predicate<Outcome> condition,
			Function<List<Outcome>, CategoryChart> drawing) throws IOException {
		List<Outcome> outcomes = all.stream().filter(condition).toList();
		if (!outcomes.isEmpty()) {
			save(name, drawing.apply(outcomes));
		}
	}

	private void drawCurves(Outcome outcome) throws IOException {
		int number = 0;
		for (Curve curve : outcome.result().curves()) {
			save(outcome.scenario().name() + "-" + ++number, OutcomeCharts.curve(curve, outcome.result().unit()));
		}
	}

	private void drawCost(Outcome outcome) throws IOException {
		if (CostChart.canDraw(outcome.result())) {
			String svg = new CostChart(outcome.result()).draw();
			save(outcome.scenario().name() + ".svg", svg.getBytes(StandardCharsets.UTF_8));
		}
	}

	private void save(String name, CategoryChart chart) throws IOException {
		save(name + ".png", ChartEncoder.getBytes(chart, "png"));
	}

	private void save(String name, byte[] content) throws IOException {
		String file = this.date + "-" + name;
		Files.write(this.folder.resolve(file), content);
		this.files.add(file);
	}

}
