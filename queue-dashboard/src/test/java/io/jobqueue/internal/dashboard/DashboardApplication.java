package io.jobqueue.internal.dashboard;

import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerResponse;

import io.jobqueue.ClaimLostException;
import io.jobqueue.JobOperationException;
import io.jobqueue.JobOperationException.Reason;
import io.jobqueue.JobRequest;
import io.jobqueue.WorkflowDefinition;
import io.jobqueue.internal.dashboard.live.QuickStreams;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.store.postgresql.schema.SchemaMigration;
import io.jobqueue.testpostgres.TestDatabase;
import io.jobqueue.testpostgres.TestPostgres;

import static io.jobqueue.WorkflowDefinition.after;
import static io.jobqueue.WorkflowDefinition.afterAny;
import static io.jobqueue.WorkflowDefinition.afterFailure;

/**
 * A servlet application with the dashboard and without Spring Security, whose worker is
 * off. It looks for changes every 100 ms. The tests of a JVM share one, and its database.
 */
public final class DashboardApplication {

	private static final TestDatabase DATABASE = TestPostgres.sharedCopyOf("migrated", DashboardApplication::migrate);

	/**
	 * What pages throw, by the name of the page.
	 */
	public static final Map<String, RuntimeException> FAILURES = Map.ofEntries(
			Map.entry("refused", new RefusedRequestException(410, "It <b>was</b> here.")),
			Map.entry("unknown", new JobOperationException(new UUID(7, 7), Reason.UNKNOWN, "There is no such job")),
			Map.entry("conflict", new JobOperationException(new UUID(7, 7), Reason.RUNNING, "It runs")),
			Map.entry("argument", new IllegalArgumentException("no 'limit'")),
			Map.entry("lost", new ClaimLostException("emails", "mail", new UUID(7, 7))),
			Map.entry("locked", new CannotAcquireLockException("secret")),
			Map.entry("pool", new CannotGetJdbcConnectionException("secret")),
			Map.entry("timeout", new QueryTimeoutException("secret")),
			Map.entry("tables", new InvalidDataAccessResourceUsageException("secret")),
			Map.entry("database", new DataIntegrityViolationException("secret")),
			Map.entry("bug", new IllegalStateException("secret")));

	private static final AtomicLong STREAMS = new AtomicLong();

	private static final ConfigurableApplicationContext CONTEXT = run();

	private DashboardApplication() {
	}

	private static void migrate(TestDatabase database) {
		new SchemaMigration(database.directDataSource(), null, true).afterPropertiesSet();
	}

	/**
	 * Run another application on the same database.
	 * @param settings what it sets
	 * @return the application, to be closed
	 */
	public static ConfigurableApplicationContext run(String... settings) {
		return run(new FilteredClassLoader("org.springframework.security"), Application.class,
				with(settings, "jobqueue.dashboard.unsecured=loopback"));
	}

	/**
	 * Run an application on the same database with the classes that a class loader finds.
	 * @param classes the class loader
	 * @param source the configuration
	 * @param settings what it sets
	 * @return the application, to be closed
	 */
	public static ConfigurableApplicationContext run(ClassLoader classes, Class<?> source, String... settings) {
		return new SpringApplicationBuilder(source).resourceLoader(new DefaultResourceLoader(classes))
			.properties(with(settings, "server.port=0", "jobqueue.worker.enabled=false",
					"jobqueue.dashboard.show-values=true", "spring.datasource.url=" + DATABASE.jdbcUrl(),
					"spring.datasource.username=" + DATABASE.username(),
					"spring.datasource.password=" + DATABASE.password()))
			.run();
	}

	private static String[] with(String[] settings, String... others) {
		return Stream.of(others, settings).flatMap(Arrays::stream).toArray(String[]::new);
	}

	/**
	 * Return the database.
	 * @return the database, to be emptied after each test
	 */
	public static TestDatabase database() {
		return DATABASE;
	}

	/**
	 * Return a bean.
	 * @param <T> its type
	 * @param type its type
	 * @return the bean
	 */
	public static <T> T bean(Class<T> type) {
		return CONTEXT.getBean(type);
	}

	/**
	 * Return the address of the dashboard.
	 * @return the address without a slash at its end
	 */
	public static String address() {
		return address(CONTEXT);
	}

	/**
	 * Return the address of the dashboard of another application.
	 * @param application the application
	 * @return the address without a slash at its end
	 */
	public static String address(ConfigurableApplicationContext application) {
		return "http://localhost:%s/jobqueue"
			.formatted(application.getEnvironment().getRequiredProperty("local.server.port"));
	}

	/**
	 * Return how many streams for live pages have begun.
	 * @return the number since the start of this JVM
	 */
	public static long openedStreams() {
		return STREAMS.get();
	}

	/**
	 * The application.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		/**
		 * A page for each failure.
		 */
		@Bean
		DashboardRoutes failing() {
			return (routes) -> FAILURES.forEach((name, failure) -> {
				HandlerFunction<ServerResponse> failing = (request) -> {
					throw failure;
				};
				routes.GET("/fails/" + name, failing).POST("/fails/" + name, failing);
			});
		}

		/**
		 * A workflow, whose payloads are maps.
		 */
		@Bean
		WorkflowDefinition<String> fulfilment() {
			return WorkflowDefinition.named("fulfilment", String.class)
				.step("pay", request("Pay"))
				.step("ship", request("Ship"), after("pay").on("in-stock"))
				.step("pickUp", request("PickUp"), after("pay").on("in-shop"))
				.step("tell", request("Tell"), afterAny("ship", "pickUp"))
				.step("refund", request("PayBack"), afterFailure("ship", "pickUp"))
				.step("askForReview", request("Ask"), after("tell", "pay"))
				.build();
		}

		private static Function<String, JobRequest> request(String type) {
			return (order) -> JobRequest.of("orders", Map.of("order", order)).type(type);
		}

		@Bean
		static QuickStreams quickStreams(ObjectProvider<PostgresStores> stores) {
			return new QuickStreams(stores);
		}

		@Bean
		Filter countedStreams() {
			return (request, response, chain) -> {
				if (((HttpServletRequest) request).getRequestURI().endsWith("/live")) {
					STREAMS.incrementAndGet();
				}
				chain.doFilter(request, response);
			};
		}

	}

}
