package io.jobqueue.internal.boot.endpoint;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;

import javax.sql.DataSource;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.TestInstance;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.Batch;
import io.jobqueue.JobOperations;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.RecurringJobs;
import io.jobqueue.Workflows;
import io.jobqueue.boot.MigratedDatabase;
import io.jobqueue.testpostgres.TestDatabase;

/**
 * Requests to the endpoint of a web application.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class EndpointTestBase {

	private final TestDatabase database = MigratedDatabase.create();

	private final HttpClient client = HttpClient.newHttpClient();

	private final ConfigurableApplicationContext application;

	private final DataSource dataSource = this.database.dataSource();

	final JdbcClient sql = JdbcClient.create(this.dataSource);

	EndpointTestBase(String... settings) {
		List<String> all = new ArrayList<>(List.of("server.port=0", "jobqueue.worker.enabled=false",
				"management.endpoints.web.exposure.include=jobqueue", "management.observations.enable.jobqueue=false",
				"spring.datasource.url=" + this.database.jdbcUrl(),
				"spring.datasource.username=" + this.database.username(),
				"spring.datasource.password=" + this.database.password()));
		all.addAll(List.of(settings));
		this.application = new SpringApplicationBuilder(WebApplication.class).properties(all.toArray(String[]::new))
			.run();
	}

	@AfterEach
	void empty() {
		MigratedDatabase.empty(this.sql);
	}

	@AfterAll
	void stop() {
		this.application.close();
		this.database.close();
	}

	final JobOperations operations() {
		return this.application.getBean(JobOperations.class);
	}

	final RecurringJobs schedules() {
		return this.application.getBean(RecurringJobs.class);
	}

	final Workflows workflows() {
		return this.application.getBean(Workflows.class);
	}

	final UUID enqueue(JobRequest request) {
		return this.application.getBean(JobQueue.class).enqueue(request).id();
	}

	final UUID enqueue(String text) {
		return enqueue(JobRequest.of("emails", new Mail(text)));
	}

	/**
	 * A batch with two members.
	 */
	final Batch batch(String name) {
		Batch batch = this.application.getBean(JobQueue.class)
			.batch(name)
			.then(JobRequest.of("callbacks", new Mail("then")))
			.start();
		batch.add(List.of(JobRequest.of("emails", new Mail("one")), JobRequest.of("emails", new Mail("two"))));
		return batch;
	}

	/**
	 * A job that waits for its second attempt.
	 */
	final UUID enqueueFailed(String text) {
		UUID job = enqueue(JobRequest.of("emails", new Mail(text)).key("mail-1").header("tenant", "acme"));
		this.sql
			.sql("""
					UPDATE jobqueue_job
					SET attempts = 1, failures = 1, run_at = now() + interval '1 hour', progress_percent = 5, progress_message = 'acme',
					    last_error = E'java.lang.IllegalStateException: Timeout of acme\\n\\tat Mails.send(Mails.java:7)',
					    started_at = '2026-11-21T12:00:00Z', expires_at = '2099-11-21T12:00:00Z',
					    history = '[{"attempt": 1, "began": "2026-11-21T12:00:00+00:00", "ended": "2026-11-21T13:00:01.5+01:00",
					                 "worker": "host:4711", "outcome": "retried", "error": "java.lang.IllegalStateException: Timeout of acme"}]'
					WHERE id = ?
					""")
			.param(job)
			.update();
		return job;
	}

	final Answer whileLocked(UUID job, Supplier<Answer> request) {
		TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(this.dataSource));
		return Objects.requireNonNull(transaction.execute((status) -> {
			this.sql.sql("SELECT 1 FROM jobqueue_job WHERE id = ? FOR UPDATE").param(job).query().singleValue();
			return request.get();
		}));
	}

	public final Answer get(String path, String... headers) {
		return ask(HttpRequest.newBuilder().GET(), path, headers);
	}

	final Answer post(String path, String json, String... headers) {
		return ask(
				HttpRequest.newBuilder().header("Content-Type", "application/json").POST(BodyPublishers.ofString(json)),
				path, headers);
	}

	final Answer postNothing(String path) {
		return ask(HttpRequest.newBuilder().POST(BodyPublishers.noBody()), path);
	}

	private Answer ask(HttpRequest.Builder request, String path, String... headers) {
		String port = this.application.getEnvironment().getRequiredProperty("local.server.port");
		request.uri(URI.create("http://localhost:%s/actuator/jobqueue%s".formatted(port, path)));
		if (headers.length > 0) {
			request.headers(headers);
		}
		try {
			return Answer.of(this.client.send(request.build(), BodyHandlers.ofString()));
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * A response.
	 *
	 * @param status the status
	 * @param text the body
	 */
	record Answer(int status, String text) {

		static Answer of(HttpResponse<String> response) {
			return new Answer(response.statusCode(), response.body());
		}

		Map<String, Object> json() {
			return JsonParserFactory.getJsonParser().parseMap(this.text);
		}

		@SuppressWarnings("unchecked")
		Map<String, Object> part(String name) {
			return (Map<String, Object>) json().get(name);
		}

		@SuppressWarnings("unchecked")
		List<Map<String, Object>> rows(String name) {
			return (List<Map<String, Object>>) json().get(name);
		}

	}

}
