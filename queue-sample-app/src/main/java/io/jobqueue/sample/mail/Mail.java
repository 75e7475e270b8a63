package io.jobqueue.sample.mail;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.MimeMessage;

/**
 * A filed message, for people to read.
 *
 * @param file the name of its file
 */
record Mail(String file, String from, String to, String date, String subject, List<Line> lines) {

	static Mail read(Path file) throws IOException {
		try (InputStream content = Files.newInputStream(file)) {
			MimeMessage message = new MimeMessage((Session) null, content);
			return new Mail(String.valueOf(file.getFileName()), header(message, "From"), header(message, "To"),
					header(message, "Date"), message.getSubject(),
					message.getContent().toString().lines().map(Line::new).toList());
		}
		catch (MessagingException ex) {
			throw new IOException("'%s' is not a mail".formatted(file), ex);
		}
	}

	private static String header(MimeMessage message, String name) throws MessagingException {
		return message.getHeader(name, ", ");
	}

	/**
	 * A line of the text.
	 */
	record Line(String text) {

		public boolean isLink() {
			return this.text.startsWith("http://") || this.text.startsWith("https://");
		}

	}

}
