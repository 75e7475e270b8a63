package io.jobqueue.benchmark.dashboard;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.TimeUnit;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.Assert;

import io.jobqueue.benchmark.subject.BenchmarkDatabase;

/**
 * An application with the dashboard, and a browser's requests to it.
 */
final class DashboardClient implements AutoCloseable {

	private static final int OK = 200;

	private final HttpClient http = HttpClient.newHttpClient();

	private final ConfigurableApplicationContext application;

	private final String address;

	private DashboardClient(ConfigurableApplicationContext application) {
		this.application = application;
		this.address = "http://localhost:%s/jobqueue"
			.formatted(application.getEnvironment().getRequiredProperty("local.server.port"));
	}

	static DashboardClient start(BenchmarkDatabase database) {
		return new DashboardClient(new SpringApplicationBuilder(DashboardApplication.class)
			.properties("spring.datasource.url=" + database.url(), "logging.level.root=warn",
					"spring.main.banner-mode=off", "server.port=0", "server.address=localhost",
					"jobqueue.dashboard.unsecured=loopback", "jobqueue.dashboard.show-values=true")
			.run());
	}

	/**
	 * Load a page.
	 * @param path its path below that of the dashboard
	 * @param times gets the time until the last byte has arrived
	 */
	void load(String path, PageTimes times) throws IOException, InterruptedException {
		long start = System.nanoTime();
		HttpResponse<String> response = this.http.send(HttpRequest.newBuilder(URI.create(this.address + path)).build(),
				BodyHandlers.ofString());
		long took = System.nanoTime() - start;
		Assert.state(response.statusCode() == OK,
				() -> "%s answers %s: %s".formatted(path, response.statusCode(), response.body()));
		times.add(TimeUnit.NANOSECONDS.toMicros(took), response.body());
	}

	@Override
	public void close() {
		this.application.close();
	}

}
