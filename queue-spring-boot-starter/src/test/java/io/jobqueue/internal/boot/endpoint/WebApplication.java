package io.jobqueue.internal.boot.endpoint;

import java.util.UUID;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.liquibase.autoconfigure.LiquibaseAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.jobqueue.JobHandler;
import io.jobqueue.JobOperationException;
import io.jobqueue.JobOperationException.Reason;
import io.jobqueue.JobRequest;
import io.jobqueue.RecurringJob;
import io.jobqueue.WorkflowDefinition;

import static io.jobqueue.WorkflowDefinition.after;

/**
 * An application with a handler that fails on demand, a schedule, and with users named by
 * a header.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(exclude = { FlywayAutoConfiguration.class, HibernateJpaAutoConfiguration.class,
		LiquibaseAutoConfiguration.class })
class WebApplication {

	@JobHandler(queue = "emails")
	void handle(Mail mail) {
		if (mail.text().equals("fail")) {
			throw new IllegalArgumentException("acme fails");
		}
		if (mail.text().equals("look after another")) {
			throw new JobOperationException(new UUID(7, 7), Reason.UNKNOWN, "There is no other job");
		}
	}

	@RecurringJob(name = "nightly", cron = "0 0 3 * * *", queue = "emails")
	void purge() {
	}

	@Bean
	WorkflowDefinition<String> fulfilment() {
		return WorkflowDefinition.named("fulfilment", String.class)
			.step("pay", (text) -> JobRequest.of("emails", new Mail(text)))
			.step("ship", (text) -> JobRequest.of("emails", new Mail(text)), after("pay").on("in-stock"))
			.build();
	}

	@Bean
	Filter gullibleFilter() {
		return (request, response, chain) -> chain.doFilter(new NamedRequest((HttpServletRequest) request), response);
	}

}
