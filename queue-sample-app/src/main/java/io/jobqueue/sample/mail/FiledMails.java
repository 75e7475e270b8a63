package io.jobqueue.sample.mail;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import jakarta.mail.MessagingException;
import jakarta.mail.internet.InternetHeaders;

import org.springframework.stereotype.Component;

import io.jobqueue.sample.SampleProperties;

/**
 * The folder of the mails: a file for each message, {@code signup-<id>-<random>.eml}.
 */
@Component
public class FiledMails {

	/**
	 * Header of a message that names the signup it belongs to.
	 */
	public static final String SIGNUP_HEADER = "X-Signup";

	private final Path folder;

	FiledMails(SampleProperties properties) {
		this.folder = properties.dataFolder().resolve("mails");
	}

	/**
	 * File a message. When this returns, the message outlasts a crash of the machine; if
	 * it fails, there is no such message.
	 * @param message the message as received
	 */
	void file(byte[] message) throws IOException, MessagingException {
		String random = UUID.randomUUID().toString();
		String name = "signup-%s-%s.eml".formatted(signup(message), random);
		Path draft = Files.createDirectories(this.folder).resolve(random + ".draft");
		try (FileOutputStream output = new FileOutputStream(draft.toFile())) {
			output.write(message);
			output.getFD().sync();
		}
		Files.move(draft, this.folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
		syncNames();
	}

	private static String signup(byte[] message) throws MessagingException {
		String signup = new InternetHeaders(new ByteArrayInputStream(message)).getHeader(SIGNUP_HEADER, null);
		return (signup != null && signup.matches("\\d+")) ? signup : "unknown";
	}

	/**
	 * Windows neither needs nor knows this.
	 */
	private void syncNames() throws IOException {
		if (File.separatorChar == '/') {
			try (FileChannel names = FileChannel.open(this.folder)) {
				names.force(true);
			}
		}
	}

	List<Path> ofSignup(long id) throws IOException {
		List<Path> mails = new ArrayList<>();
		try (DirectoryStream<Path> files = Files.newDirectoryStream(Files.createDirectories(this.folder),
				"signup-%d-*.eml".formatted(id))) {
			files.forEach(mails::add);
		}
		return mails;
	}

}
