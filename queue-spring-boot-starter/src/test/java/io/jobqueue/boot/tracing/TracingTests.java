package io.jobqueue.boot.tracing;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.boot.MigratedDatabase;
import io.jobqueue.observation.DefaultRunObservationConvention;
import io.jobqueue.observation.RunObservationContext;
import io.jobqueue.testpostgres.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * One trace leads from a web request through its jobs, recorded by a real tracer.
 */
@Tag("slow") // starts a web application for each test
class TracingTests {

	private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

	private final TestDatabase database = MigratedDatabase.create();

	@AfterEach
	void dropDatabase() {
		this.database.close();
	}

	@Test
	void oneTraceLeadsFromTheRequestToTheFollowUp() throws Exception {
		try (ConfigurableApplicationContext context = start()) {
			order(context);
			List<SpanData> spans = spans(context, 6);
			assertThat(spans).extracting(SpanData::getTraceId).containsOnly(TRACE);
			SpanData request = span(spans, "http post /orders");
			SpanData enqueue = span(spans, "enqueue orders");
			assertThat(enqueue.getParentSpanId()).isEqualTo(request.getSpanId());
			assertThat(enqueue.getKind()).isEqualTo(SpanKind.PRODUCER);
			List<SpanData> runs = named(spans, "run orders");
			assertThat(runs).hasSize(2)
				.allSatisfy((run) -> assertThat(run.getParentSpanId()).isEqualTo(enqueue.getSpanId()))
				.allSatisfy((run) -> assertThat(run.getKind()).isEqualTo(SpanKind.CONSUMER));
			assertThat(runs).extracting((run) -> run.getAttributes().get(AttributeKey.stringKey("job.attempt")))
				.containsExactly("1", "2");
			assertThat(runs.get(0).getStatus())
				.isEqualTo(StatusData.create(StatusData.error().getStatusCode(), "out of boxes"));
			SpanData followUp = span(spans, "enqueue parcels");
			assertThat(followUp.getParentSpanId()).isEqualTo(runs.get(1).getSpanId());
			assertThat(span(spans, "run parcels").getParentSpanId()).isEqualTo(followUp.getSpanId());
		}
	}

	@Test
	void headersAreThoseOfW3c() throws Exception {
		try (ConfigurableApplicationContext context = start("jobqueue.worker.enabled=false",
				"management.tracing.baggage.remote-fields=tenant")) {
			order(context);
			SpanData enqueue = span(spans(context, 2), "enqueue orders");
			assertThat(header(context, "traceparent")).isEqualTo("00-%s-%s-01".formatted(TRACE, enqueue.getSpanId()));
			assertThat(header(context, "tracestate")).isEqualTo("vendor=x");
			assertThat(header(context, "baggage")).isEqualTo("tenant=acme");
		}
	}

	@Test
	void lineOfAFailedAttemptHasItsTrace() throws Exception {
		ListAppender<ILoggingEvent> lines = new ListAppender<>();
		Logger logger = (Logger) LoggerFactory.getLogger("io.jobqueue");
		try (ConfigurableApplicationContext context = start("jobqueue.worker.name=here")) {
			lines.start();
			logger.addAppender(lines);
			order(context);
			SpanData failed = failed(spans(context, 6));
			await().untilAsserted(() -> assertThat(List.copyOf(lines.list))
				.filteredOn((line) -> line.getFormattedMessage().contains("failed and is retried in"))
				.singleElement()
				.extracting(ILoggingEvent::getMDCPropertyMap, InstanceOfAssertFactories.map(String.class, String.class))
				.containsEntry("traceId", TRACE)
				.containsEntry("spanId", failed.getSpanId())
				.containsEntry("job.worker", "here"));
		}
		finally {
			logger.detachAppender(lines);
		}
	}

	private static SpanData failed(List<SpanData> spans) {
		return named(spans, "run orders").stream()
			.filter((span) -> span.getStatus().getStatusCode() == StatusCode.ERROR)
			.findFirst()
			.orElseThrow();
	}

	@Test
	void observationsMakeNoTimersByDefault() throws Exception {
		try (ConfigurableApplicationContext context = start()) {
			order(context);
			spans(context, 6);
			assertThat(context.getBean(MeterRegistry.class).getMeters()).extracting(Meter::getId)
				.extracting(Meter.Id::getName)
				.contains("jobqueue.enqueue", "jobqueue.job.run", "http.server.requests")
				.noneMatch((name) -> name.startsWith("jobqueue.send") || name.startsWith("jobqueue.process"));
		}
	}

	@Test
	void timersOfObservationsCanBeEnabled() throws Exception {
		try (ConfigurableApplicationContext context = start("management.metrics.enable.jobqueue.send=true",
				"management.metrics.enable.jobqueue.process=true")) {
			order(context);
			spans(context, 6);
			assertThat(context.getBean(MeterRegistry.class).getMeters()).extracting(Meter::getId)
				.extracting(Meter.Id::getName)
				.contains("jobqueue.send", "jobqueue.process");
			assertThat(context.getBean(MeterRegistry.class).get("jobqueue.process").tag("queue", "orders").timers())
				.isNotEmpty();
		}
	}

	@Test
	void observationsCanBeSwitchedOffByName() throws Exception {
		try (ConfigurableApplicationContext context = start("management.observations.enable.jobqueue=false")) {
			order(context);
			await().untilAsserted(() -> assertThat(context.getBean(JdbcClient.class)
				.sql("SELECT count(*) FROM jobqueue_archive")
				.query(Long.class)
				.single()).isEqualTo(2));
			assertThat(spans(context, 1)).extracting(SpanData::getName).containsExactly("http post /orders");
			assertThat(header(context, "traceparent")).isNull();
		}
	}

	@Test
	void conventionsAreReplaceable() throws Exception {
		try (ConfigurableApplicationContext context = start(List.of(TracedApplication.class, Replacing.class))) {
			order(context);
			assertThat(spans(context, 6)).extracting(SpanData::getName).contains("job parcels");
		}
	}

	private ConfigurableApplicationContext start(String... settings) {
		return start(List.of(TracedApplication.class), settings);
	}

	private ConfigurableApplicationContext start(List<Class<?>> configurations, String... settings) {
		SpringApplication application = new SpringApplication(configurations.toArray(Class<?>[]::new));
		application.setDefaultProperties(Map.of("server.port", "0", "spring.datasource.url", this.database.jdbcUrl(),
				"spring.datasource.username", this.database.username(), "spring.datasource.password",
				this.database.password(), "spring.liquibase.enabled", "false", "spring.flyway.enabled", "false",
				"jobqueue.defaults.backoff.type", "fixed", "jobqueue.defaults.backoff.delay", "1ms",
				"management.tracing.sampling.probability", "1", "spring.main.banner-mode", "off"));
		return application.run(Arrays.stream(settings).map((setting) -> "--" + setting).toArray(String[]::new));
	}

	private static void order(ConfigurableApplicationContext context) throws Exception {
		int port = ((WebServerApplicationContext) context).getWebServer().getPort();
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:%d/orders".formatted(port)))
			.header("traceparent", "00-%s-b7ad6b7169203331-01".formatted(TRACE))
			.header("tracestate", "vendor=x")
			.header("baggage", "tenant=acme")
			.POST(HttpRequest.BodyPublishers.noBody())
			.build();
		assertThat(HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
			.isEqualTo(200);
	}

	private static List<SpanData> spans(ConfigurableApplicationContext context, int number) {
		InMemorySpanExporter exporter = context.getBean(TracedApplication.Spans.class).exporter();
		await().untilAsserted(() -> assertThat(exporter.getFinishedSpanItems()).hasSize(number));
		return exporter.getFinishedSpanItems();
	}

	private static SpanData span(List<SpanData> spans, String name) {
		assertThat(named(spans, name)).hasSize(1);
		return named(spans, name).get(0);
	}

	private static List<SpanData> named(List<SpanData> spans, String name) {
		return spans.stream().filter((span) -> span.getName().equals(name)).toList();
	}

	private static @Nullable String header(ConfigurableApplicationContext context, String name) {
		return (String) context.getBean(JdbcClient.class)
			.sql("SELECT headers::jsonb ->> ? AS value FROM jobqueue_jobs LIMIT 1")
			.param(name)
			.query()
			.singleRow()
			.get("value");
	}

	/**
	 * Calls spans by another name.
	 */
	static class Replacing extends DefaultRunObservationConvention {

		@Override
		public String getContextualName(RunObservationContext context) {
			return "job " + context.getJob().queue();
		}

		@Override
		public KeyValues getHighCardinalityKeyValues(RunObservationContext context) {
			return KeyValues.empty();
		}

	}

}
