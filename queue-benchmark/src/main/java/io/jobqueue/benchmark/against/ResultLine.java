package io.jobqueue.benchmark.against;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The line that a scenario prints.
 */
final class ResultLine {

	private static final Pattern FIGURE = Pattern.compile(" (\\w+)=(-?\\d+(?:\\.\\d+)?)(?= |$)");

	private static final String BARS = " bar=";

	private ResultLine() {
	}

	static boolean isOf(String scenario, String line) {
		return line.startsWith("RESULT scenario=" + scenario + " ");
	}

	/**
	 * Return the figures of a line by name, without its bars.
	 */
	static Map<String, Double> figures(String line) {
		Map<String, Double> figures = new LinkedHashMap<>();
		Matcher matcher = FIGURE.matcher(line.split(BARS, 2)[0]);
		while (matcher.find()) {
			figures.put(matcher.group(1), Double.valueOf(matcher.group(2)));
		}
		return figures;
	}

}
