package io.jobqueue.benchmark.frame;

import java.util.List;
import java.util.Map;

/**
 * Something to draw: lines over the same points.
 *
 * @param title the title
 * @param along what the points are
 * @param points the points
 * @param lines a value for each point, by the name of the line
 */
public record Curve(String title, String along, List<String> points, Map<String, List<Double>> lines) {

}
