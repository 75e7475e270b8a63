package io.jobqueue.benchmark.chaos;

import java.time.Clock;
import java.time.Duration;
import java.util.List;

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

	static final String CLOCK_AHEAD = "chaos.clock-ahead=";

	private static final List<String> SETTINGS = List.of("logging.level.root=warn", "spring.main.banner-mode=off",
			"spring.datasource.hikari.maximum-pool-size=" + POOL_SIZE,
			"spring.datasource.hikari.connection-timeout=2000", "jobqueue.worker.timeout=" + TIMEOUT,
			"jobqueue.worker.heartbeat-interval=1s", "jobqueue.reaper.interval=1s",
			"jobqueue.worker.shutdown-timeout=5s", "jobqueue.defaults.max-attempts=0",
			"jobqueue.defaults.backoff.type=fixed", "jobqueue.defaults.backoff.delay=500ms");

	@Bean
	Clock clock(@Value("${chaos.clock-ahead:0s}") Duration ahead) {
		return Clock.offset(Clock.systemUTC(), ahead);
	}

	static ConfigurableApplicationContext start(String url, String... settings) {
		return new SpringApplicationBuilder(ChaosApplication.class).web(WebApplicationType.NONE)
			.properties(SETTINGS.toArray(String[]::new))
			.properties("spring.datasource.url=" + url)
			.properties(settings)
			.run();
	}

}
