package io.jobqueue.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/**
 * The application of the talk: a signup and its e-mail.
 */
@SpringBootApplication
@ConfigurationPropertiesScan
public class SampleApplication {

	/**
	 * Run the sample.
	 * @param args arguments of Spring Boot
	 */
	public static void main(String[] args) {
		SpringApplication.run(SampleApplication.class, args);
	}

}
