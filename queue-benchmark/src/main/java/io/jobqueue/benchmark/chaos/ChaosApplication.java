package io.jobqueue.benchmark.chaos;

import java.time.Clock;
import java.time.Duration;
import java.util.List;

import com.zaxxer.hikari.HikariDataSource;

import io.jobqueue.WorkflowDefinition;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * An application that runs errands. Others notice within seconds when it falls silent.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ Ledger.class, Errands.class, Ticks.class })
class ChaosApplication {

	static final Duration TIMEOUT = Duration.ofSeconds(3);

	static final int POOL_SIZE = 10;

	private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(2);

	static final String CLOCK_AHEAD = "chaos.clock-ahead=";

	static final String SHUTDOWN_TIMEOUT = "jobqueue.worker.shutdown-timeout=";

	private static final List<String> SETTINGS = List.of("logging.level.root=warn", "spring.main.banner-mode=off",
			"jobqueue.worker.timeout=" + TIMEOUT, "jobqueue.worker.heartbeat-interval=1s",
			"jobqueue.reaper.interval=1s", "jobqueue.defaults.max-attempts=0", "jobqueue.defaults.backoff.type=fixed",
			"jobqueue.defaults.backoff.delay=500ms");

	@Bean
	Clock clock(@Value("${chaos.clock-ahead:0s}") Duration ahead) {
		return Clock.offset(Clock.systemUTC(), ahead);
	}

	@Bean
	WorkflowDefinition<Tour> tour() {
		return Tour.workflow();
	}

	@Bean
	ReplaceablePool dataSource(@Value("${spring.datasource.url}") String url) {
		return new ReplaceablePool(() -> pool(url));
	}

	static HikariDataSource pool(String url) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(url);
		pool.setMaximumPoolSize(POOL_SIZE);
		pool.setConnectionTimeout(CONNECTION_TIMEOUT.toMillis());
		return pool;
	}

	static ConfigurableApplicationContext start(String url, String... settings) {
		return new SpringApplicationBuilder(ChaosApplication.class).web(WebApplicationType.NONE)
			.properties(SETTINGS.toArray(String[]::new))
			.properties("spring.datasource.url=" + url)
			.properties(settings)
			.run();
	}

}
