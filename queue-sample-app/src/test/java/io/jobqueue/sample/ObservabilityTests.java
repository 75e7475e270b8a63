package io.jobqueue.sample;

import java.io.IOException;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Timers without buckets, as by default.
 */
class ObservabilityTests extends ObservabilityTestBase {

	ObservabilityTests() {
		super(false);
	}

	@Test
	void noPanelDependsOnBucketsAlone() throws IOException {
		for (JsonNode panel : Prometheus.dashboard().path("panels")) {
			assertThat(panel.findValuesAsString("expr")).as(panel.path("title").asString())
				.satisfiesAnyOf((queries) -> assertThat(queries).isEmpty(),
						(queries) -> assertThat(queries).anyMatch((query) -> !query.contains("_bucket")));
		}
	}

}
