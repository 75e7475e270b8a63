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
import org.junit.jupiter.api.Test;
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
class ObservabilityTests {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	@TempDir
	private static Path folder;

	private static @Nullable SampleJvm sample;

	private static @Nullable Prometheus prometheus;

	@BeforeAll
	static void start() throws IOException {
		Prometheus.assumeInstalled();
		sample = SampleJvm.start(folder, "--sample.mail.failure-rate=0.3", "--jobqueue.metrics.refresh-interval=1s",
				"--jobqueue.alerts.interval=1s", "--jobqueue.defaults.backoff.type=fixed",
				"--jobqueue.defaults.backoff.delay=200ms");
		prometheus = Prometheus.scraping(sample.client(), folder);
	}

	@AfterAll
	static void stop() {
		if (prometheus != null) {
			prometheus.close();
		}
		if (sample != null) {
			sample.close();
		}
	}

	static List<String> expressions() throws IOException {
		return Prometheus.dashboardQueries();
	}

	@ParameterizedTest
	@MethodSource("expressions")
	void queryOfTheDashboardFindsData(String expression) {
		String query = expression.replace("$queue", ".*").replace("$__rate_interval", "30s");
		await(() -> {
			sample.client().signUp("Ada", "ada@example.org");
			assertThat(prometheus.query(query)).anyMatch(ObservabilityTests::isKnown);
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
			List<JsonNode> rules = prometheus.rules();
			assertThat(rules).isNotEmpty()
				.allMatch((rule) -> rule.path("health").asString().equals("ok"))
				.noneMatch((rule) -> rule.path("state").asString().equals("firing"));
		});
	}

}
