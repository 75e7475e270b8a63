package io.jobqueue.internal.dashboard;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

import org.junit.jupiter.api.AfterEach;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.JobOperations;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.internal.dashboard.view.CachedReading;

/**
 * Requests to the dashboard of the application that the tests of a JVM share. Its tables
 * are empty before each test, and each request reads them. Redirects are not followed.
 */
public abstract class DashboardTestBase {

	/**
	 * Text that breaks pages which do not escape it, for fields that can hold text.
	 */
	protected static final String HOSTILE = "<script>alert('1')</script>\"'`&amp;${7*7}\u202e" + "x".repeat(10_000);

	private static final HttpClient CLIENT = HttpClient.newHttpClient();

	/**
	 * A client of the database.
	 */
	protected final JdbcClient sql = JdbcClient.create(DashboardApplication.database().dataSource());

	/**
	 * Leave the tables empty, and let pages read them again.
	 */
	@AfterEach
	void empty() {
		CachedReading.outdate();
		String tables = this.sql
			.sql("""
					SELECT string_agg(quote_ident(relname), ', ') FROM pg_class
					WHERE relkind = 'r' AND relname LIKE 'jobqueue%' AND relname NOT IN ('jobqueue_version', 'jobqueue_schema_history')
					  AND relnamespace = current_schema()::regnamespace
					""")
			.query(String.class)
			.single();
		this.sql.sql("TRUNCATE " + tables).update();
	}

	/**
	 * Return the operations of the application.
	 * @return the operations
	 */
	protected final JobOperations operations() {
		return DashboardApplication.bean(JobOperations.class);
	}

	/**
	 * Enqueue a job.
	 * @param request the job
	 * @return its id
	 */
	protected final UUID enqueue(JobRequest request) {
		return DashboardApplication.bean(JobQueue.class).enqueue(request).id();
	}

	/**
	 * Get a page.
	 * @param path its path below that of the dashboard, with its parameters
	 * @param headers names and values of headers, in turn
	 * @return the response
	 */
	protected final HttpResponse<String> get(String path, String... headers) {
		return send(HttpRequest.newBuilder().GET(), path, headers);
	}

	/**
	 * Request a page without its body.
	 * @param path its path below that of the dashboard, with its parameters
	 * @return the response
	 */
	protected final HttpResponse<String> head(String path) {
		return send(HttpRequest.newBuilder().method("HEAD", BodyPublishers.noBody()), path);
	}

	/**
	 * Send a request that no page answers.
	 * @param path its path below that of the dashboard
	 * @return the response
	 */
	protected final HttpResponse<String> put(String path) {
		return send(HttpRequest.newBuilder().PUT(BodyPublishers.noBody()), path, "Sec-Fetch-Site", "same-origin");
	}

	/**
	 * Post a form of a page.
	 * @param path its path below that of the dashboard, with its parameters
	 * @param form the fields
	 * @return the response
	 */
	protected final HttpResponse<String> post(String path, Map<String, String> form) {
		return post(path, form, "Sec-Fetch-Site", "same-origin");
	}

	/**
	 * Post a form.
	 * @param path its path below that of the dashboard, with its parameters
	 * @param form the fields
	 * @param headers names and values of headers, in turn
	 * @return the response
	 */
	protected final HttpResponse<String> post(String path, Map<String, String> form, String... headers) {
		String body = form.entrySet()
			.stream()
			.map((field) -> encode(field.getKey()) + "=" + encode(field.getValue()))
			.collect(Collectors.joining("&"));
		HttpRequest.Builder request = HttpRequest.newBuilder()
			.header("Content-Type", "application/x-www-form-urlencoded")
			.POST(BodyPublishers.ofString(body));
		return send(request, path, headers);
	}

	private static HttpResponse<String> send(HttpRequest.Builder request, String path, String... headers) {
		CachedReading.outdate();
		request.uri(URI.create(DashboardApplication.address() + path));
		if (headers.length > 0) {
			request.headers(headers);
		}
		try {
			return CLIENT.send(request.build(), BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	private static String encode(String text) {
		return URLEncoder.encode(text, StandardCharsets.UTF_8);
	}

}
