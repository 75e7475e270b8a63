package io.jobqueue.sample.mail;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.subethamail.smtp.server.SMTPServer;

import org.springframework.boot.mail.autoconfigure.MailProperties;
import org.springframework.mail.MailException;
import org.springframework.mail.javamail.JavaMailSender;
import org.springframework.mail.javamail.MimeMessageHelper;

import io.jobqueue.sample.SampleProperties;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the mail server, over SMTP.
 */
class EmbeddedMailServerTests {

	private static final EmbeddedMailServerConfiguration configuration = new EmbeddedMailServerConfiguration();

	@TempDir
	private Path folder;

	private SMTPServer server;

	private JavaMailSender sender;

	@AfterEach
	void stopServer() {
		this.server.stop();
	}

	@Test
	void acceptedMailIsStored() throws Exception {
		start(0);
		send("42");
		assertThat(this.folder.resolve("mails")).isDirectoryContaining("glob:**/signup-42-*.eml");
		assertThat(this.folder.resolve("mails")).isDirectoryNotContaining("glob:**.draft");
		assertThat(mails().ofSignup(42)).singleElement()
			.satisfies((file) -> assertThat(Mail.read(file).lines()).contains(new Mail.Line("Grüße")));
	}

	@Test
	void filesEveryMail() throws Exception {
		start(0);
		send("4");
		send("4");
		send("42");
		assertThat(mails().ofSignup(4)).hasSize(2);
	}

	@Test
	void refusesMailsForNowWhenAskedTo() throws Exception {
		start(1);
		assertThatExceptionOfType(MailException.class).isThrownBy(() -> send("42"))
			.withMessageContaining("451 refused because of sample.mail.failure-rate");
		assertThat(mails().ofSignup(42)).isEmpty();
	}

	@Test
	void refusesForNowWhatItCannotFile() throws Exception {
		Files.createFile(this.folder.resolve("mails"));
		start(0);
		assertThatExceptionOfType(MailException.class).isThrownBy(() -> send("42"))
			.withMessageContaining("451 the message could not be filed");
	}

	@Test
	void filesNothingElsewhere() throws Exception {
		start(0);
		send("../../42");
		assertThat(this.folder.resolve("mails")).isDirectoryContaining("glob:**/signup-unknown-*.eml");
	}

	private void start(double failureRate) {
		SampleProperties properties = properties(failureRate);
		this.server = configuration.mailServer(mails(), properties);
		this.server.start();
		this.sender = configuration.mailSender(this.server, new MailProperties());
	}

	private void send(String signup) throws MessagingException {
		MimeMessage message = this.sender.createMimeMessage();
		message.setHeader(FiledMails.SIGNUP_HEADER, signup);
		MimeMessageHelper helper = new MimeMessageHelper(message, "UTF-8");
		helper.setFrom("signup@sample.example");
		helper.setTo("ada@example.org");
		helper.setSubject("Hello");
		helper.setText("Grüße\n");
		this.sender.send(message);
	}

	private FiledMails mails() {
		return new FiledMails(properties(0));
	}

	private SampleProperties properties(double failureRate) {
		return new SampleProperties(this.folder, null, Duration.ofMinutes(1), 0,
				new SampleProperties.Mail("signup@sample.example", "team@sample.example", failureRate));
	}

}
