package io.jobqueue.benchmark.report;

import java.awt.Color;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.jobqueue.benchmark.frame.Bar;
import io.jobqueue.benchmark.frame.Curve;
import io.jobqueue.benchmark.frame.Outcome;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries.CategorySeriesRenderStyle;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * The charts of a report.
 */
final class OutcomeCharts {

	private static final int WIDTH = 1_200;

	private static final int HEIGHT = 600;

	private static final double LEAST_MILLIS = 0.1;

	private static final int LABEL_ANGLE = 60;

	private static final Color[] COLORS = { new Color(0x1f77b4), new Color(0xb0b0b0), new Color(0xd62728),
			new Color(0x2ca02c), new Color(0x9467bd) };

	private OutcomeCharts() {
	}

	static CategoryChart ratios(List<Outcome> outcomes) {
		CategoryChart chart = chart("Ratios and their bars", "ratio");
		chart.addSeries("ratio", names(outcomes), figures(outcomes, "ratio"));
		chart.addSeries("at least", names(outcomes), outcomes.stream().map(OutcomeCharts::limit).toList());
		return chart;
	}

	static CategoryChart rates(List<Outcome> outcomes) {
		CategoryChart chart = chart("The queue and plain SQL", "jobs/s");
		chart.addSeries("queue", names(outcomes), figures(outcomes, "value"));
		chart.addSeries("plain SQL", names(outcomes), figures(outcomes, "floor"));
		return chart;
	}

	/**
	 * From a fraction of a millisecond to a poll interval: only a logarithm shows both.
	 */
	static CategoryChart latencies(List<Outcome> outcomes) {
		CategoryChart chart = chart("From commit to handler", "ms");
		chart.getStyler().setYAxisLogarithmic(true);
		chart.getStyler().setYAxisMin(LEAST_MILLIS);
		Map<String, Double> p50 = percentiles(outcomes, "p50");
		Map<String, Double> p99 = percentiles(outcomes, "p99");
		chart.addSeries("p50", List.copyOf(p50.keySet()), List.copyOf(p50.values()));
		chart.addSeries("p99", List.copyOf(p50.keySet()), p50.keySet().stream().map(p99::get).toList());
		return chart;
	}

	static CategoryChart curve(Curve curve, String unit) {
		CategoryChart chart = chart(curve.title(), unit);
		chart.setXAxisTitle(curve.along());
		chart.getStyler().setDefaultSeriesRenderStyle(CategorySeriesRenderStyle.Line);
		curve.lines()
			.forEach((name, values) -> chart.addSeries(name, curve.points(), values).setMarker(SeriesMarkers.CIRCLE));
		return chart;
	}

	private static CategoryChart chart(String title, String unit) {
		CategoryChart chart = new CategoryChartBuilder().width(WIDTH)
			.height(HEIGHT)
			.title(title)
			.yAxisTitle(unit)
			.build();
		chart.getStyler()
			.setSeriesColors(COLORS)
			.setChartBackgroundColor(Color.WHITE)
			.setLegendPosition(LegendPosition.OutsideE);
		chart.getStyler().setXAxisLabelRotation(LABEL_ANGLE);
		chart.getStyler().setYAxisDecimalPattern("#,##0.##");
		chart.getStyler().setLocale(Locale.ROOT);
		return chart;
	}

	private static List<String> names(List<Outcome> outcomes) {
		return outcomes.stream().map((outcome) -> outcome.scenario().name()).toList();
	}

	private static List<Double> figures(List<Outcome> outcomes, String name) {
		return outcomes.stream().map((outcome) -> outcome.result().figure(name)).toList();
	}

	private static double limit(Outcome outcome) {
		return outcome.scenario()
			.bars()
			.stream()
			.filter((bar) -> bar.figure().equals("ratio"))
			.mapToDouble(Bar::limit)
			.findFirst()
			.orElseThrow();
	}

	private static Map<String, Double> percentiles(List<Outcome> outcomes, String percentile) {
		Map<String, Double> values = new LinkedHashMap<>();
		for (Outcome outcome : outcomes) {
			outcome.result().figures().forEach((name, value) -> {
				if (name.contains(percentile) && !name.startsWith("median")) {
					values.put(label(outcome, name.replace(percentile, "")), Math.max(LEAST_MILLIS, value));
				}
			});
		}
		return values;
	}

	private static String label(Outcome outcome, String kind) {
		return outcome.scenario().name() + kind.replace("floor", ", plain SQL").replace("_", " ").stripTrailing();
	}

}
