package io.jobqueue.internal.dashboard.routing;

import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.servlet.function.ServerRequest;

import io.jobqueue.internal.dashboard.DashboardApplication;
import io.jobqueue.internal.dashboard.DashboardTestBase;
import io.jobqueue.internal.dashboard.view.Views;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Answers to requests whose pages throw.
 */
class FailuresTests extends DashboardTestBase {

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					refused  | 410 | It &lt;b&gt;was&lt;/b&gt; here.
					unknown  | 404 | There is no such job
					conflict | 409 | It runs
					argument | 400 | no 'limit'
					lost     | 409 | The claim on job 00000000-0000-0007-0000-000000000007
					locked   | 503 | The database did not answer in time; try again.
					pool     | 503 | The database did not answer in time; try again.
					timeout  | 503 | The database did not answer in time; try again.
					tables   | 503 | The database lacks a table or a column that this page reads: the tables may be older than the application.
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
		assertThat(DashboardApplication.FAILURES).hasSize(11);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			locked  | 503 | The job, its key, the schedule or a table is locked by another transaction; try again.
			pool    | 503 | There was no connection to the database in time. Nothing was changed; try again.
			timeout | 503 | The database did not answer. The action may have been done: look before you repeat it.
			""")
	void failureOfAnActionSaysWhatToDo(String action, int status, String sentence) {
		HttpResponse<String> answer = post("/fails/" + action, Map.of());
		assertThat(answer.statusCode()).isEqualTo(status);
		assertThat(answer.body()).contains("<p>" + sentence).doesNotContain("secret");
	}

	/**
	 * The lock of a statement that changes the table, such as one that adds a column.
	 */
	@Test
	@Tag("slow") // a locked table
	void pageOfALockedTableDoesNotWaitForIt() throws SQLException {
		try (Connection connection = DashboardApplication.database().dataSource().getConnection();
				Statement statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			statement.execute("LOCK TABLE jobqueue_job IN ACCESS EXCLUSIVE MODE");
			HttpResponse<String> answer = get("");
			assertThat(answer.statusCode()).isEqualTo(503);
			assertThat(answer.body()).contains("The database did not answer in time; try again.");
			connection.rollback();
		}
		assertThat(get("").statusCode()).isEqualTo(200);
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void outageIsOneLineOfTheLog(CapturedOutput output) {
		AtomicLong now = new AtomicLong(Long.MAX_VALUE - 7);
		Failures failures = new Failures(mock(Views.class), now::get);
		ServerRequest request = ServerRequest.create(new MockHttpServletRequest("GET", "/jobqueue"), List.of());
		for (int seconds : new int[] { 0, 10, 59, 59, 60 }) {
			now.addAndGet(Duration.ofSeconds(seconds).toNanos());
			failures.answer(request,
					new DataAccessResourceFailureException("gone", new SQLException("Connection refused", "08001")));
		}
		assertThat(output.getAll().lines().filter((line) -> line.contains("answer 503 until it does"))).hasSize(2)
			.allSatisfy((line) -> assertThat(line).endsWith(": SQLState 08001: Connection refused"));
		assertThat(output.getAll()).doesNotContain("DataAccessResourceFailureException");
	}

}
