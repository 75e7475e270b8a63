package io.jobqueue.sample.signup;

import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.servlet.ModelAndView;

/**
 * Where the link in the mail leads.
 */
@Controller
class VerificationController {

	private final Signups signups;

	VerificationController(Signups signups) {
		this.signups = signups;
	}

	@GetMapping("/verify/{token:[\\w-]+}")
	ModelAndView verify(@PathVariable String token) {
		ModelAndView unknown = new ModelAndView("unknown-link", HttpStatus.NOT_FOUND);
		return this.signups.verify(token)
			.map((signup) -> new ModelAndView("verified", "signup", signup))
			.orElse(unknown);
	}

}
