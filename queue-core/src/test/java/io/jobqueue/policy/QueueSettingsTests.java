package io.jobqueue.policy;

import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.Test;

import io.jobqueue.store.ClusterLimits;
import io.jobqueue.store.JobStore.AdmissionRules;

import static org.assertj.core.api.Assertions.assertThat;

class QueueSettingsTests {

	private static final AttemptOptions THREE = new AttemptOptions(3, null, null);

	private static final AttemptOptions FIVE = new AttemptOptions(5, null, null);

	@Test
	void optionsOfATypeAreFoundWithoutCaseAndPunctuation() {
		QueueSettings settings = settings(Map.of("sendwelcomemail", THREE, "mail", THREE, "Mail", FIVE));
		assertThat(settings.ofType("SendWelcomeMail")).isEqualTo(THREE);
		assertThat(settings.ofType("shop.Send")).isEqualTo(AttemptOptions.NONE);
		assertThat(settings.ofType("Mail")).isEqualTo(FIVE);
	}

	@Test
	void caseAndPunctuationInSettingsAreMeant() {
		QueueSettings settings = settings(Map.of("SendMail", THREE, "send_mail", THREE));
		assertThat(settings.ofType("sendmail")).isEqualTo(AttemptOptions.NONE);
		assertThat(settings.ofType("Send_Mail")).isEqualTo(AttemptOptions.NONE);
	}

	private static QueueSettings settings(Map<String, AttemptOptions> types) {
		return new QueueSettings(1, 1, Duration.ofHours(1), "max-run-time", null, Backoff.fixed(Duration.ofSeconds(1)),
				null, false, null, null, ClusterLimits.NONE, AdmissionRules.NONE)
			.withTypes(types);
	}

}
