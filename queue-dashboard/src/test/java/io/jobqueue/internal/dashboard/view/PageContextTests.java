package io.jobqueue.internal.dashboard.view;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The addresses of pages.
 */
class PageContextTests {

	private final Map<String, List<String>> parameters = new LinkedHashMap<>();

	private final PageContext page = new PageContext("/app/jobqueue", "/jobs", this.parameters, "Jobs", "/jobs", false,
			null, "/app/jobqueue/assets/1", null);

	@Test
	void addressHasAllParameters() {
		assertThat(this.page.self()).isEqualTo("/app/jobqueue/jobs");
		this.parameters.put("state", List.of("ready", "dead"));
		this.parameters.put("error", List.of("a&b=\"<ü>#?+ |"));
		assertThat(this.page.self())
			.isEqualTo("/app/jobqueue/jobs?state=ready&state=dead&error=a%26b%3D%22%3C%C3%BC%3E%23%3F%2B%20%7C");
	}

	@Test
	void parameterIsReplacedOrRemoved() {
		this.parameters.put("queue", List.of("emails"));
		this.parameters.put("after", List.of("7"));
		assertThat(this.page.with("after", 8)).isEqualTo("/app/jobqueue/jobs?queue=emails&after=8");
		assertThat(this.page.with("after", null)).isEqualTo("/app/jobqueue/jobs?queue=emails");
		assertThat(this.page.with("limit", "9")).isEqualTo("/app/jobqueue/jobs?queue=emails&after=7&limit=9");
		assertThat(this.page.self()).isEqualTo("/app/jobqueue/jobs?queue=emails&after=7");
	}

	@Test
	void parameterThatIsAbsentHasNoText() {
		assertThat(this.page.parameter("queue")).isEmpty();
	}

}
