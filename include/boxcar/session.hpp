// The scope in which a conveyor carries items.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <exception>
#include <string>
#include <utility>

#include <boxcar/error.hpp>

namespace boxcar {

class session;

namespace detail {

struct stays_in_place {};

class session_owner;

// The pointer from what carries items in a session to the scope of the session. A class without
// virtual functions has it, as compilers warn of a polymorphic class whose destructor a friend
// could call (-Wnon-virtual-dtor).
class session_slot {
 public:
  session_slot(const session_slot&) = delete;
  session_slot& operator=(const session_slot&) = delete;

 protected:
  session_slot() = default;
  ~session_slot() = default;

  // To be called before this is destroyed, or another takes its place: the session is over, and its
  // scope, if that is not left yet, has nothing to do; or it is lost, and its end throws the text.
  void release_session() noexcept;
  void lose_session(std::string&& text) noexcept;
  // There is a scope that is not left yet.
  [[nodiscard]] bool has_session() const { return session_ != nullptr; }

 private:
  friend session;
  friend session_owner;
  session* session_ = nullptr;
};

// What carries items in a session. It and the scope of the session know each other, so that either
// may be where the other does not expect it.
class session_owner : public session_slot {
 public:
  // Called when a session is left, `quietly` if by an exception. If the conveyor is complete, it is
  // reset, unless quietly. If it is not, the world has failed by that, and `leave` throws
  // contract_error unless quietly.
  virtual void leave(bool quietly) = 0;

 protected:
  session_owner() = default;
  ~session_owner() = default;

  // Takes over the scope of another's session. This must have none.
  void take_session(session_owner& other) noexcept;
};

}  // namespace detail

// The scope of a session. Leaving it resets the conveyor (collective) if it is complete; leaving it
// earlier throws contract_error, and the world fails. An exception that leaves it passes: a
// conveyor that is complete stays so until `reset`, and if it is not complete, the world fails.
//
// A conveyor that is moved takes its session along. One that is destroyed in the middle of a
// session makes the world fail, and the end of this scope throws contract_error.
//
// A session can be moved: into a member of a class, std::optional or a container. The conveyor then
// belongs to the scope of the new object, and a session that was moved from is good for nothing and
// does nothing. Move assignment first leaves the session that was there. Members of the standard
// library let no exception of a destructor pass: an unfinished session in std::optional or
// std::vector ends the program where the scope of the session would throw.
class [[nodiscard]] session {
 public:
  explicit session(detail::session_owner& conveyor)
      : owner_(&conveyor), exceptions_(std::uncaught_exceptions()) {
    conveyor.release_session();  // the session before this one is over, or there would be no other
    conveyor.session_ = this;
  }
  // Of one that can neither be moved nor destroyed while this lives.
  session(detail::session_owner& conveyor, detail::stays_in_place)
      : owner_(&conveyor), exceptions_(std::uncaught_exceptions()) {}
  session(session&& other) noexcept : exceptions_(std::uncaught_exceptions()) { take_over(other); }
  // Collective if there is a session to leave. Throws contract_error if the session that was there
  // is not complete; `other` then remains as it is.
  session& operator=(session&& other) {
    if (this == &other) return *this;
    leave();
    exceptions_ = std::uncaught_exceptions();
    take_over(other);
    return *this;
  }
  session(const session&) = delete;
  session& operator=(const session&) = delete;
  ~session() noexcept(false) { leave(); }

 private:
  friend detail::session_slot;
  friend detail::session_owner;

  void leave() {
    const bool unwinding = std::uncaught_exceptions() > exceptions_;
    if (owner_ != nullptr) {
      detail::session_owner* const owner = std::exchange(owner_, nullptr);
      owner->session_ = nullptr;
      owner->leave(unwinding);
    } else if (!lost_.empty()) {
      const std::string text = std::exchange(lost_, {});
      if (!unwinding) throw contract_error(text);
    }
  }
  // This has neither an owner nor a lost session.
  void take_over(session& other) noexcept {
    owner_ = std::exchange(other.owner_, nullptr);
    lost_ = std::exchange(other.lost_, {});
    if (owner_ != nullptr && owner_->session_ == &other) owner_->session_ = this;
  }

  detail::session_owner* owner_ = nullptr;  // null: there is nothing to leave
  int exceptions_;
  std::string lost_;  // how, if it is
};

inline void detail::session_slot::release_session() noexcept {
  if (session_ == nullptr) return;
  session_->owner_ = nullptr;
  session_ = nullptr;
}

inline void detail::session_slot::lose_session(std::string&& text) noexcept {
  if (session_ != nullptr) session_->lost_ = std::move(text);
  release_session();
}

inline void detail::session_owner::take_session(session_owner& other) noexcept {
  session_ = std::exchange(other.session_, nullptr);
  if (session_ != nullptr) session_->owner_ = this;
}

}  // namespace boxcar
