package io.jobqueue.internal.dashboard.routing;

import java.net.http.HttpResponse;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.jobqueue.internal.dashboard.DashboardApplication;
import io.jobqueue.internal.dashboard.DashboardTestBase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Answers to requests whose pages throw.
 */
class FailuresTests extends DashboardTestBase {

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			refused  | 410 | It &lt;b&gt;was&lt;/b&gt; here.
			unknown  | 404 | There is no such job
			conflict | 409 | It runs
			argument | 400 | no 'limit'
			lost     | 409 | The claim on job 00000000-0000-0007-0000-000000000007
			locked   | 409 | The job, its key or the schedule is locked by another transaction; try again.
			database | 503 | The database failed; see the log, and try again.
			bug      | 500 | The page failed; see the log.
			""")
	void failureIsAPageWithAStatusAndASentence(String page, int status, String sentence) {
		HttpResponse<String> answer = get("/fails/" + page);
		assertThat(answer.statusCode()).isEqualTo(status);
		assertThat(answer.body()).contains("<p>" + sentence, "<nav")
			.doesNotContain("secret", "Exception", "at io.jobqueue", "<b>");
		assertThat(answer.headers().firstValue("content-security-policy")).isPresent();
	}

	@Test
	void everyFailureIsTested() {
		assertThat(DashboardApplication.FAILURES).hasSize(8);
	}

}
