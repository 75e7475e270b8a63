package io.jobqueue.sample;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

import org.springframework.web.client.RestClientException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the documentation offers to Prometheus and Grafana, with a Prometheus that looks
 * at the sample.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow") // starts a JVM and Prometheus
abstract class ObservabilityTestBase {

	private static final Duration PATIENCE = Duration.ofMinutes(5);

	@TempDir
	private static Path folder;

	private final boolean buckets;

	private @Nullable SampleJvm sample;

	private @Nullable Prometheus prometheus;

	ObservabilityTestBase(boolean buckets) {
		this.buckets = buckets;
	}

	@BeforeAll
	void start() throws IOException {
		Prometheus.assumeInstalled();
		this.sample = SampleJvm.start(folder,
				"--management.metrics.distribution.percentiles-histogram.jobqueue=" + this.buckets,
				"--sample.mail.failure-rate=0.3", "--jobqueue.metrics.refresh-interval=1s",
				"--jobqueue.alerts.interval=1s", "--jobqueue.defaults.backoff.type=fixed",
				"--jobqueue.defaults.backoff.delay=200ms");
		this.prometheus = Prometheus.scraping(this.sample.client(), folder);
	}

	@AfterAll
	void stop() {
		if (this.prometheus != null) {
			this.prometheus.close();
		}
		if (this.sample != null) {
			this.sample.close();
		}
	}

	List<String> expressions() throws IOException {
		return Prometheus.dashboardQueries()
			.stream()
			.filter((query) -> this.buckets || !query.contains("_bucket"))
			.toList();
	}

	@ParameterizedTest
	@MethodSource("expressions")
	void queryOfTheDashboardFindsData(String expression) {
		String query = expression.replace("$queue", ".*").replace("$__rate_interval", "30s");
		await(() -> {
			this.sample.client().signUp("Ada", "ada@example.org");
			assertThat(this.prometheus.query(query)).anyMatch(ObservabilityTestBase::isKnown);
		});
	}

	/**
	 * Prometheus may not have started, and needs two looks at least.
	 */
	private static void await(ThrowingRunnable assertion) {
		Awaitility.await()
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(500))
			.atMost(PATIENCE)
			.ignoreExceptionsInstanceOf(RestClientException.class)
			.untilAsserted(assertion);
	}

	private static boolean isKnown(JsonNode series) {
		return !series.at("/value/1").asString().equals("NaN");
	}

	@Test
	void ruleIsEvaluated() {
		await(() -> {
			List<JsonNode> rules = this.prometheus.rules();
			assertThat(rules).isNotEmpty()
				.allMatch((rule) -> rule.path("health").asString().equals("ok"))
				.noneMatch((rule) -> rule.path("state").asString().equals("firing"));
		});
	}

}
