package io.jobqueue.internal.dashboard.chart;

import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.jayway.jsonpath.JsonPath;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobRequest;
import io.jobqueue.internal.dashboard.DashboardTestBase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The charts of the overview, and their data.
 */
class ChartRoutesTests extends DashboardTestBase {

	/**
	 * Readings are cached for some seconds.
	 */
	private final String queue = "queue-" + UUID.randomUUID();

	@Test
	void dataAreThoseOfTheQueue() {
		insert(this.queue, 2, 10, "2 minutes");
		insert("other", 20, 20, "2 minutes");
		HttpResponse<String> response = get("/charts/throughput.json?queue=" + this.queue);
		assertThat(response.headers().firstValue("Content-Type")).contains("application/json");
		assertThat(response.headers().firstValue("Cache-Control")).contains("no-store");
		List<Integer> values = JsonPath.read(response.body(), "$.series[0].values");
		assertThat(values).hasSize(60).contains(2).doesNotContain(20);
	}

	@Test
	void eachChartHasData() {
		insert(this.queue, 2, 10, "2 hours");
		for (Chart chart : Chart.values()) {
			for (ChartRange range : ChartRange.values()) {
				HttpResponse<String> response = get(
						"/charts/%s.json?range=%s&queue=%s".formatted(chart.file(), range.parameter(), this.queue));
				assertThat(response.statusCode()).isEqualTo(200);
				List<List<?>> series = JsonPath.read(response.body(), "$.series[*].values");
				assertThat(series).isNotEmpty().allSatisfy((values) -> assertThat(values).hasSizeBetween(60, 168));
			}
		}
	}

	/**
	 * No worker is alive here. A server that is slow for a moment is asked for new queues
	 * once in a minute, and a chart lasts for 10 s.
	 */
	@Test
	void ageOfAStuckQueueGrows() {
		UUID job = enqueue(JobRequest.of(this.queue, Map.of()).type("mail"));
		this.sql.sql("UPDATE jobqueue_job SET run_at = now() - interval '10 minutes' WHERE id = ?").param(job).update();
		List<Number> last = await().atMost(Duration.ofMinutes(2)).until(this::lastAges, (ages) -> !ages.contains(null));
		Double[] growing = last.stream().map(Number::doubleValue).toArray(Double[]::new);
		assertThat(growing).isSorted();
		assertThat(growing[0]).isBetween(50.0, 300.0);
		assertThat(growing[7] - growing[0]).isBetween(410.0, 430.0);
	}

	private List<Number> lastAges() {
		List<Number> ages = JsonPath.read(get("/charts/age.json?queue=" + this.queue).body(), "$.series[0].values");
		return ages.subList(52, 60);
	}

	@Test
	void unknownChartsAndRangesAreRefused() {
		assertThat(get("/charts/other.json").statusCode()).isEqualTo(404);
		assertThat(get("/charts/age.json?range=year").statusCode()).isEqualTo(400);
	}

	/**
	 * As after a start with the tables of an earlier version, or a table that was
	 * dropped.
	 */
	@Test
	void missingTableIsNamedInTheLogAndThePagesWithoutItAreShown() {
		this.sql.sql("ALTER TABLE jobqueue_statistics RENAME TO elsewhere").update();
		try {
			HttpResponse<String> response = get("/charts/age.json?queue=" + this.queue);
			assertThat(response.statusCode()).isEqualTo(503);
			assertThat(response.body()).contains("The database lacks a table or a column that this page reads");
			assertThat(get("").statusCode()).isEqualTo(200);
		}
		finally {
			this.sql.sql("ALTER TABLE elsewhere RENAME TO jobqueue_statistics").update();
		}
	}

	@Test
	void overviewHasTheCharts() {
		String page = get("?range=day&queue=emails").body();
		assertThat(page).contains("Succeeded jobs per 10 minutes")
			.contains("data-src=\"/jobqueue/charts/run-time.json?range=day&amp;queue=emails\"")
			.contains("<option selected>emails</option>")
			.contains("range=week#charts");
	}

	@Test
	void hostileQueueIsText() {
		String hostile = "<script>alert(1)</script>\"'";
		String page = get("?range=" + encode(hostile) + "&queue=" + encode(hostile)).body();
		assertThat(page).doesNotContain("<script>alert").contains("&lt;script&gt;alert(1)&lt;/script&gt;");
		assertThat(get("/charts/age.json?queue=" + encode(HOSTILE.substring(0, 1_000))).statusCode()).isEqualTo(200);
	}

	private static String encode(String text) {
		return URLEncoder.encode(text, StandardCharsets.UTF_8);
	}

	private void insert(String queue, int succeeded, int runTimes, String ago) {
		this.sql
			.sql("""
					INSERT INTO jobqueue_statistics (at, minutes, worker_id, queue, priority, succeeded, failed, dead, cancelled,
					    run_times)
					VALUES (now() - ?::interval, 1, gen_random_uuid(), ?, 10, ?, 1, 0, 0, ARRAY[?])
					""")
			.params(ago, queue, succeeded, runTimes)
			.update();
	}

}
