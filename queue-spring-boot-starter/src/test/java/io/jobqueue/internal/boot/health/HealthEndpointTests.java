package io.jobqueue.internal.boot.health;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import io.jobqueue.JobHandler;
import io.jobqueue.boot.MigratedDatabase;
import io.jobqueue.internal.worker.JobWorker;
import io.jobqueue.testpostgres.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The answers to probes.
 */
@Tag("slow") // starts a web server
class HealthEndpointTests {

	private final TestDatabase database = MigratedDatabase.create();

	@AfterEach
	void dropDatabase() {
		this.database.close();
	}

	@Test
	void livenessAndReadinessIgnoreTheQueue() throws Exception {
		try (ConfigurableApplicationContext context = start()) {
			assertThat(get(context, "").statusCode()).isEqualTo(200);
			context.getBean(JobWorker.class).stop();
			HttpResponse<String> health = get(context, "");
			assertThat(health.statusCode()).isEqualTo(503);
			assertThat(health.body()).contains("\"jobqueue\"", "The worker is not running", "\"user_visible\"");
			for (String probe : new String[] { "/liveness", "/readiness" }) {
				HttpResponse<String> response = get(context, probe);
				assertThat(response.statusCode()).isEqualTo(200);
				assertThat(response.body()).contains("UP").doesNotContain("jobqueue");
			}
		}
	}

	private ConfigurableApplicationContext start() {
		SpringApplication application = new SpringApplication(Application.class);
		application.setDefaultProperties(Map.ofEntries(Map.entry("server.port", "0"),
				Map.entry("spring.datasource.url", this.database.jdbcUrl()),
				Map.entry("spring.datasource.username", this.database.username()),
				Map.entry("spring.datasource.password", this.database.password()),
				Map.entry("spring.liquibase.enabled", "false"), Map.entry("spring.flyway.enabled", "false"),
				Map.entry("jobqueue.health.start-grace", "0s"), Map.entry("spring.main.banner-mode", "off"),
				Map.entry("management.endpoint.health.show-details", "always"),
				Map.entry("management.endpoint.health.probes.enabled", "true")));
		return application.run();
	}

	private static HttpResponse<String> get(ConfigurableApplicationContext context, String path) throws Exception {
		int port = ((WebServerApplicationContext) context).getWebServer().getPort();
		HttpRequest request = HttpRequest
			.newBuilder(URI.create("http://localhost:%d/actuator/health%s".formatted(port, path)))
			.build();
		return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
	}

	record Word(String text) {
	}

	/**
	 * An application with a handler.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@JobHandler
		void handle(Word word) {
		}

	}

}
