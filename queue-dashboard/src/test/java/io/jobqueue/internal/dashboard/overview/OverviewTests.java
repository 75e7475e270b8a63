package io.jobqueue.internal.dashboard.overview;

import java.net.http.HttpResponse;
import java.util.Map;

import org.junit.jupiter.api.Test;

import io.jobqueue.JobRequest;
import io.jobqueue.internal.dashboard.DashboardTestBase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The overview.
 */
class OverviewTests extends DashboardTestBase {

	@Test
	void queuesAreShownWithTheNumbersOfTheirJobs() {
		enqueue(JobRequest.of("emails", Map.of("to", "Ada")).type("mail"));
		HttpResponse<String> page = get("");
		assertThat(page.statusCode()).isEqualTo(200);
		assertThat(page.body()).contains("<title>Overview · Job queue</title>")
			.contains("<th scope=\"row\">emails</th>")
			.contains("<data value=\"1\">1</data>");
	}

}
