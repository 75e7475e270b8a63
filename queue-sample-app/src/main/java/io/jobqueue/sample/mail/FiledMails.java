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
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

import jakarta.mail.MessagingException;
import jakarta.mail.internet.InternetHeaders;

import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

import io.jobqueue.sample.SampleProperties;

/**
 * The folder of the mails: a file for each message, {@code signup-<id>-<random>.eml} or
 * {@code digest-<id>-<random>.eml}.
 */
@Component
public class FiledMails {

	/**
	 * Header of a message that names the signup it belongs to.
	 */
	public static final String SIGNUP_HEADER = "X-Signup";

	/**
	 * Header of a message that names the digest it contains.
	 */
	public static final String DIGEST_HEADER = "X-Digest";

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
		String name = "%s-%s.eml".formatted(subject(message), random);
		Path draft = Files.createDirectories(this.folder).resolve(random + ".draft");
		try (FileOutputStream output = new FileOutputStream(draft.toFile())) {
			output.write(message);
			output.getFD().sync();
		}
		Files.move(draft, this.folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
		syncNames();
	}

	private static String subject(byte[] message) throws MessagingException {
		InternetHeaders headers = new InternetHeaders(new ByteArrayInputStream(message));
		String digest = headers.getHeader(DIGEST_HEADER, null);
		return (digest != null) ? "digest-" + number(digest)
				: "signup-" + number(headers.getHeader(SIGNUP_HEADER, null));
	}

	private static String number(@Nullable String header) {
		return (header != null && header.matches("\\d+")) ? header : "unknown";
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
		return named("signup-%s-*.eml".formatted(id));
	}

	List<Path> ofDigest(long id) throws IOException {
		return named("digest-%s-*.eml".formatted(id));
	}

	/**
	 * Return files in the order of their arrival.
	 */
	private List<Path> named(String pattern) throws IOException {
		List<Path> mails = new ArrayList<>();
		try (DirectoryStream<Path> files = Files.newDirectoryStream(Files.createDirectories(this.folder), pattern)) {
			files.forEach(mails::add);
		}
		mails.sort(Comparator.comparingLong((mail) -> mail.toFile().lastModified()));
		return mails;
	}

}
