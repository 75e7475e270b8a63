package io.jobqueue.internal.policy;

import java.util.Map;

import org.junit.jupiter.api.Test;

import io.jobqueue.harness.QueueSettingsBuilder;

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
	void caseAndPunctuationInSettingsCount() {
		QueueSettings settings = settings(Map.of("SendMail", THREE, "send_mail", THREE));
		assertThat(settings.ofType("sendmail")).isEqualTo(AttemptOptions.NONE);
		assertThat(settings.ofType("Send_Mail")).isEqualTo(AttemptOptions.NONE);
	}

	private static QueueSettings settings(Map<String, AttemptOptions> types) {
		return new QueueSettingsBuilder().types(types).build();
	}

}
