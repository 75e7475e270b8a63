package io.jobqueue.sample.signup;

import java.time.Duration;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.jobqueue.JobRequest;
import io.jobqueue.WorkflowDefinition;
import io.jobqueue.sample.SampleProperties;

import static io.jobqueue.WorkflowDefinition.after;
import static io.jobqueue.WorkflowDefinition.afterAny;

/**
 * What follows a signup: a mail with a link, a reminder if the link is not followed in
 * time, and a welcome if it is.
 */
@Configuration(proxyBeanMethods = false)
class SignupWorkflow {

	static final String NAME = "signup";

	static final String FOLLOWED = "followed";

	static final String IGNORED = "ignored";

	@Bean
	WorkflowDefinition<Long> signup(SampleProperties properties) {
		Duration patience = properties.reminderAfter();
		return WorkflowDefinition.named(NAME, Long.class)
			.step("mail", ConfirmationEmail::new)
			.step("check", (signup) -> JobRequest.of(new LinkCheck(signup)).delay(patience), after("mail"))
			.step("remind", ReminderEmail::new, after("check").on(IGNORED))
			.step("checkAgain", (signup) -> JobRequest.of(new LinkCheck(signup)).delay(patience), after("remind"))
			.step("welcome", WelcomeEmail::new, afterAny("check", "checkAgain").on(FOLLOWED))
			.build();
	}

}
