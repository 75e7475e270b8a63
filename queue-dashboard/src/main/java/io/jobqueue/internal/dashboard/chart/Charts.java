package io.jobqueue.internal.dashboard.chart;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.dashboard.view.PageContext;
import io.jobqueue.internal.dashboard.view.UrlQuery;

/**
 * The charts on a page, of the time and queue that its parameters {@code range} and
 * {@code queue} name.
 *
 * @param range the time
 * @param queue the name of the queue, {@code null} for all queues
 * @param queues the queues to choose from
 */
public record Charts(ChartRange range, @Nullable String queue, List<String> queues) {

	/**
	 * Return the charts of a page.
	 * @param page the page
	 * @param queues the names of known queues
	 * @return the charts; of the last hour if the page names no known range
	 */
	public static Charts of(PageContext page, Collection<String> queues) {
		String queue = page.parameter("queue");
		Stream<String> named = queue.isEmpty() ? Stream.empty() : Stream.of(queue);
		return new Charts(ChartRange.of(page.parameter("range")).orElse(ChartRange.HOUR),
				queue.isEmpty() ? null : queue, Stream.concat(queues.stream(), named).distinct().sorted().toList());
	}

	/**
	 * Return the address of the data of a chart.
	 * @param page the page
	 * @param chart the chart
	 * @return the path with its parameters
	 */
	public String data(PageContext page, Chart chart) {
		return page.base() + "/charts/" + chart.file() + ".json?range=" + this.range.parameter()
				+ ((this.queue != null) ? "&" + UrlQuery.of("queue", this.queue) : "");
	}

}
