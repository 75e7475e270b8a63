package io.jobqueue.sample.mail;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.servlet.ModelAndView;

/**
 * Shows the mails of signups and digests.
 */
@Controller
class MailController {

	private final FiledMails mails;

	MailController(FiledMails mails) {
		this.mails = mails;
	}

	@GetMapping("/mails/{signup}")
	ModelAndView ofSignup(@PathVariable long signup) throws IOException {
		return page("Mail for signup " + signup, this.mails.ofSignup(signup));
	}

	@GetMapping("/mails/digests/{digest}")
	ModelAndView ofDigest(@PathVariable long digest) throws IOException {
		return page("Digest " + digest, this.mails.ofDigest(digest));
	}

	private static ModelAndView page(String title, List<Path> files) throws IOException {
		List<Mail> mails = new ArrayList<>();
		for (Path file : files) {
			mails.add(Mail.read(file));
		}
		long copies = mails.size() - mails.stream().map(Mail::subject).distinct().count();
		return new ModelAndView("mails", Map.of("title", title, "mails", mails, "copies", copies));
	}

}
