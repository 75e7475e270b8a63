package io.jobqueue.sample.signup;

import java.util.List;
import java.util.stream.Collectors;

import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;

import org.springframework.mail.MailPreparationException;
import org.springframework.mail.javamail.JavaMailSender;
import org.springframework.mail.javamail.MimeMessageHelper;
import org.springframework.stereotype.Component;

import io.jobqueue.sample.SampleProperties;
import io.jobqueue.sample.mail.FiledMails;

/**
 * Writes the mail of a digest and hands it to the mail server.
 */
@Component
class DigestMailSender {

	private final JavaMailSender mailSender;

	private final SampleProperties properties;

	DigestMailSender(JavaMailSender mailSender, SampleProperties properties) {
		this.mailSender = mailSender;
		this.properties = properties;
	}

	void send(Digest digest, List<Signup> signups) {
		MimeMessage message = this.mailSender.createMimeMessage();
		try {
			message.setHeader(FiledMails.DIGEST_HEADER, Long.toString(digest.id()));
			MimeMessageHelper helper = new MimeMessageHelper(message, "UTF-8");
			helper.setFrom(this.properties.mail().from());
			helper.setTo(this.properties.mail().digestTo());
			helper.setSubject("New signups: %s".formatted(signups.size()));
			helper.setText(signups.stream().map(DigestMailSender::line).collect(Collectors.joining("\n")));
		}
		catch (MessagingException ex) {
			throw new MailPreparationException("Could not write the mail of digest %s".formatted(digest.id()), ex);
		}
		this.mailSender.send(message);
	}

	private static String line(Signup signup) {
		return "%s, %s".formatted(signup.name(), signup.email());
	}

}
