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
 * Writes the mail and hands it to the mail server.
 */
@Component
class ConfirmationMailSender {

	private static final String TEXT = """
			Hello %s,

			please confirm that this address is yours:

			%s

			If you have not signed up, there is nothing to do.
			""";

	private final JavaMailSender mailSender;

	private final SampleProperties properties;

	private final Environment environment;

	ConfirmationMailSender(JavaMailSender mailSender, SampleProperties properties, Environment environment) {
		this.mailSender = mailSender;
		this.properties = properties;
		this.environment = environment;
	}

	void send(Signup signup, String token) {
		MimeMessage message = this.mailSender.createMimeMessage();
		try {
			message.setHeader(FiledMails.SIGNUP_HEADER, Long.toString(signup.id()));
			MimeMessageHelper helper = new MimeMessageHelper(message, "UTF-8");
			helper.setFrom(this.properties.mail().from());
			helper.setTo(signup.email());
			helper.setSubject("Please confirm your e-mail address");
			helper.setText(TEXT.formatted(signup.name(), link(token)));
		}
		catch (MessagingException ex) {
			throw new MailPreparationException("Could not write the mail of signup %d".formatted(signup.id()), ex);
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
