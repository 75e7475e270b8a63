package io.jobqueue.sample;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.event.EventListener;

/**
 * The application of the talk: a signup and its e-mail.
 */
@SpringBootApplication
@ConfigurationPropertiesScan
public class SampleApplication {

	private static final Logger logger = LoggerFactory.getLogger(SampleApplication.class);

	/**
	 * Run the sample.
	 * @param args arguments of Spring Boot
	 */
	public static void main(String[] args) {
		SpringApplication.run(SampleApplication.class, args);
	}

	@EventListener
	void invite(ApplicationReadyEvent ready) {
		logger.info("Sign up at http://localhost:{}/",
				ready.getApplicationContext().getEnvironment().getProperty("local.server.port"));
	}

}
