package io.jobqueue.sample.signup;

import java.net.URI;

import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;

import org.springframework.core.env.Environment;
import org.springframework.mail.MailPreparationException;
import org.springframework.mail.javamail.JavaMailSender;
import org.springframework.mail.javamail.MimeMessageHelper;
import org.springframework.stereotype.Component;
import org.springframework.web.util.UriComponentsBuilder;

import io.jobqueue.sample.SampleProperties;
import io.jobqueue.sample.mail.FiledMails;

/**
 * Writes the mails of a signup and hands them to the mail server.
 */
@Component
class SignupMailSender {

	private static final String CONFIRM = """
			Hello %s,

			please confirm that this address is yours:

			%s

			If you have not signed up, there is nothing to do.
			""";

	private static final String REMIND = """
			Hello %s,

			you have not confirmed your address yet. This is the link once more:

			%s

			If you have not signed up, there is nothing to do.
			""";

	private static final String WELCOME = """
			Hello %s,

			your address is confirmed. It is good to have you with us.
			""";

	private final JavaMailSender mailSender;

	private final SampleProperties properties;

	private final Environment environment;

	SignupMailSender(JavaMailSender mailSender, SampleProperties properties, Environment environment) {
		this.mailSender = mailSender;
		this.properties = properties;
		this.environment = environment;
	}

	void confirm(Signup signup, String token) {
		send(signup, "Please confirm your e-mail address", CONFIRM.formatted(signup.name(), link(token)));
	}

	void remind(Signup signup, String token) {
		send(signup, "Reminder: please confirm your e-mail address", REMIND.formatted(signup.name(), link(token)));
	}

	void welcome(Signup signup) {
		send(signup, "Welcome", WELCOME.formatted(signup.name()));
	}

	private void send(Signup signup, String subject, String text) {
		MimeMessage message = this.mailSender.createMimeMessage();
		try {
			message.setHeader(FiledMails.SIGNUP_HEADER, Long.toString(signup.id()));
			MimeMessageHelper helper = new MimeMessageHelper(message, "UTF-8");
			helper.setFrom(this.properties.mail().from());
			helper.setTo(signup.email());
			helper.setSubject(subject);
			helper.setText(text);
		}
		catch (MessagingException ex) {
			throw new MailPreparationException("Could not write a mail of signup %s".formatted(signup.id()), ex);
		}
		this.mailSender.send(message);
	}

	private URI link(String token) {
		URI base = this.properties.publicUrl();
		return UriComponentsBuilder.fromUri((base != null) ? base : localUrl())
			.pathSegment("verify", token)
			.build()
			.toUri();
	}

	/**
	 * The port is asked for late, as the server may have chosen it itself.
	 */
	private URI localUrl() {
		return URI.create("http://localhost:" + this.environment.getRequiredProperty("local.server.port"));
	}

}
