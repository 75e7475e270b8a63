package io.jobqueue.internal.dashboard.jobs;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.jobqueue.internal.dashboard.DashboardTestBase;
import io.jobqueue.internal.dashboard.jobs.ErrorList.Failure;
import io.jobqueue.internal.store.JobCount;
import io.jobqueue.internal.store.SearchStore;
import io.jobqueue.internal.store.SearchStore.ErrorCounts;
import io.jobqueue.internal.store.SearchStore.ErrorGroup;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Errors of retrying and dead jobs.
 */
class ErrorPageTests extends DashboardTestBase {

	private static final String REFUSED = "java.net.ConnectException at com.acme.Smtp.send";

	@Test
	void jobsAreCountedByErrorAndLinked() {
		insertRetrying(REFUSED, 2);
		HttpResponse<String> page = get("/errors");
		assertThat(page.statusCode()).isEqualTo(200);
		assertThat(page.body()).contains(">ConnectException at Smtp.send</a>", REFUSED, "<data value=\"2\">2</data>");
		String link = page.body().replaceFirst("(?s).*<a href=\"/jobqueue([^\"]*)\">ConnectException.*", "$1");
		assertThat(link).startsWith("/jobs?queue=emails&amp;fingerprint=java.net.ConnectException%20at");
		assertThat(get(link.replace("&amp;", "&")).body().split("<th scope=\"row\"")).hasSize(3);
	}

	@Test
	void numbersOfLiveAndDeadJobsAreAddedUp() {
		ErrorList errors = errors(List.of(group("emails", "a", false, 7), group("emails", REFUSED, true, 312),
				group("emails", REFUSED, false, 27), group("invoices", REFUSED, false, SearchStore.ERROR_CAP)));
		assertThat(errors.errors()).containsExactly(
				new Failure("invoices", REFUSED, count(SearchStore.ERROR_CAP), count(0)),
				new Failure("emails", REFUSED, count(27), count(312)), new Failure("emails", "a", count(7), count(0)));
		assertThat(TestPages.render("jobs/errors.jte", "/errors", errors))
			.contains("<data value=\"10000\">10,000</data><abbr title=\"or more\">")
			.contains("state=DEAD\"><data value=\"312\">312</data>");
	}

	@Test
	void manyErrorsAreNotAll() {
		List<ErrorGroup> groups = IntStream.rangeClosed(1, ErrorList.MAX_ERRORS + 2)
			.mapToObj((number) -> group("emails", "e" + number, true, number))
			.toList();
		ErrorList errors = ErrorList.of(new ErrorCounts(groups, List.of("emails", HOSTILE)));
		assertThat(errors.errors()).hasSize(ErrorList.MAX_ERRORS)
			.last()
			.extracting(Failure::fingerprint)
			.isEqualTo("e3");
		assertThat(TestPages.render("jobs/errors.jte", "/errors", errors).replaceAll("\\s+", " "))
			.contains("<data value=\"2\">2</data> more", "were counted of <bdi>emails, &lt;script&gt;")
			.doesNotContain("<script>alert", "other queues");
	}

	private static ErrorList errors(List<ErrorGroup> groups) {
		return ErrorList.of(new ErrorCounts(groups, List.of()));
	}

	@Test
	void noErrorIsSaid() {
		assertThat(TestPages.render("jobs/errors.jte", "/errors", errors(List.of())))
			.contains("The last attempt of no retrying or dead job has failed with an exception.");
	}

	@Test
	void hostileTextIsText() {
		Failure hostile = new Failure(HOSTILE, HOSTILE, count(1), count(1));
		assertThat(TestPages.render("jobs/errors.jte", "/errors", new ErrorList(List.of(hostile), 0, List.of())))
			.contains("&lt;script&gt;")
			.doesNotContain("<script>alert");
	}

	private static ErrorGroup group(String queue, String fingerprint, boolean dead, long jobs) {
		return new ErrorGroup(queue, fingerprint, dead, count(jobs));
	}

	private static JobCount count(long jobs) {
		return new JobCount(jobs, jobs == SearchStore.ERROR_CAP);
	}

	private void insertRetrying(String fingerprint, int jobs) {
		this.sql
			.sql("""
					INSERT INTO jobqueue_job (id, run_at, created_at, priority, failures, queue, type, payload, history)
					SELECT gen_random_uuid(), now() + interval '1 hour', now(), 10, 1, 'emails', 'mail', '{}',
					       jsonb_build_array(jsonb_build_object('attempt', 1, 'ended', now(), 'worker', 'w', 'outcome', 'retried',
					                                            'fingerprint', ?::text))
					FROM generate_series(1, ?)
					""")
			.params(fingerprint, jobs)
			.update();
	}

}
