package io.jobqueue.sample.kafka;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Profile;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

import io.jobqueue.newsletter.NewsletterApplication;
import io.jobqueue.sample.SampleProperties;

/**
 * Runs the newsletter in this JVM, so that one command starts both applications. They
 * share a server of PostgreSQL, where each has a schema, and the broker; nothing else.
 */
@Component
@Profile("kafka")
class SecondApplication implements DisposableBean {

	private static final Logger logger = LoggerFactory.getLogger(SecondApplication.class);

	private final SampleProperties properties;

	private final JdbcConnectionDetails database;

	private final KafkaConnectionDetails kafka;

	private @Nullable ConfigurableApplicationContext newsletter;

	SecondApplication(SampleProperties properties, JdbcConnectionDetails database, KafkaConnectionDetails kafka) {
		this.properties = properties;
		this.database = database;
		this.kafka = kafka;
	}

	@EventListener(ApplicationReadyEvent.class)
	void start() {
		this.newsletter = new SpringApplicationBuilder(NewsletterApplication.class).main(NewsletterApplication.class)
			.run("--spring.config.name=newsletter", "--server.port=" + this.properties.newsletterPort(),
					"--spring.datasource.url=" + this.database.getJdbcUrl(),
					"--spring.datasource.username=" + this.database.getUsername(),
					"--spring.datasource.password=" + this.database.getPassword(),
					"--spring.kafka.bootstrap-servers=" + String.join(",", this.kafka.getBootstrapServers()));
		logger.info("See who gets the newsletter at http://localhost:{}/subscribers",
				this.newsletter.getEnvironment().getProperty("local.server.port"));
	}

	@Override
	public void destroy() {
		if (this.newsletter != null) {
			this.newsletter.close();
		}
	}

}
