package io.jobqueue.internal.dashboard;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.DefaultResourceLoader;

import io.jobqueue.internal.store.postgresql.schema.SchemaMigration;
import io.jobqueue.testpostgres.TestDatabase;
import io.jobqueue.testpostgres.TestPostgres;

/**
 * A servlet application with the dashboard and without Spring Security, whose worker is
 * off. The tests of a JVM share one, and its database.
 */
public final class DashboardApplication {

	private static final TestDatabase DATABASE = TestPostgres.sharedCopyOf("migrated", DashboardApplication::migrate);

	private static final ConfigurableApplicationContext CONTEXT = new SpringApplicationBuilder(Application.class)
		.resourceLoader(new DefaultResourceLoader(new FilteredClassLoader("org.springframework.security")))
		.properties("server.port=0", "jobqueue.worker.enabled=false", "jobqueue.dashboard.unsecured=loopback",
				"jobqueue.dashboard.show-values=true", "spring.datasource.url=" + DATABASE.jdbcUrl(),
				"spring.datasource.username=" + DATABASE.username(),
				"spring.datasource.password=" + DATABASE.password())
		.run();

	private DashboardApplication() {
	}

	private static void migrate(TestDatabase database) {
		new SchemaMigration(database.directDataSource(), null, true).afterPropertiesSet();
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
		return "http://localhost:%s/jobqueue"
			.formatted(CONTEXT.getEnvironment().getRequiredProperty("local.server.port"));
	}

	/**
	 * The application.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
